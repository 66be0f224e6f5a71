import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { domainSearchOperation } from '#server/features/enrichment/domain-search-operation.ts';
import { costOfRun } from '#server/paid-calls/ledger/cost-of-run.ts';
import type { PlannedCall } from '#server/paid-calls/operation.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { readCalls } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import type { CallSteps } from './batched-steps.ts';

const OWNER = '00000000-0000-4000-8000-00000000000a';
const PRICE = domainSearchOperation.estimateMicros;

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

/** The steps of a run that may cost three domains. */
const stepsOfRun = () => buildHeldRun({ product, owner: OWNER, boundMicros: 3 * PRICE });

const planEach = (steps: CallSteps<unknown>, subjects: readonly string[], round = 0) =>
  Promise.all(subjects.map((subject) => steps.begin({ subjects: [subject], round })));
const subjectsOf = (calls: readonly PlannedCall[]) => calls.map(({ subject }) => subject);

test('what is booked together fits the bound, a call leaves with one request only, and everyone gets their own', async () => {
  const { user, runId, steps } = await stepsOfRun();
  const plans = await planEach(steps, ['a', 'b', 'b', 'c', 'd']);
  expect(plans.map(({ calls }) => subjectsOf(calls))).toEqual([['a'], ['b'], ['b'], ['c'], ['d']]);
  const booked = await Promise.all(plans.map(({ calls }) => steps.book({ calls, batchId: null })));
  expect(booked.map(subjectsOf)).toEqual([['a'], ['b'], [], ['c'], []]);
  expect(await costOfRun(product.db, runId)).toBe(3 * PRICE);

  const settled = booked.flat().map((call) => {
    const bought = { answer: { contacts: [] }, costMicros: 0, rememberMs: 'for good' as const };
    return { ...call, ...bought, answeredAt: new Date() };
  });
  await Promise.all(settled.map((call) => steps.settle({ settled: [call] })));
  const states = (await readCalls(product.db, user.id)).map(({ subject, state }) => `${subject} ${state}`);
  expect(states.sort()).toEqual(['a answered', 'b answered', 'c answered', 'd planned']);
  expect(await costOfRun(product.db, runId)).toBe(0);

  const again = await planEach(steps, ['d', 'a', 'e', 'c'], 1);
  expect(again.map(({ calls }) => subjectsOf(calls))).toEqual([['d'], [], ['e'], []]);
  expect(again.map(({ outcomes }) => [...outcomes.keys()])).toEqual([[], ['a'], [], ['c']]);
});

test('requests that are booked together keep their own batches, and the bound counts across them', async () => {
  const { user, steps } = await stepsOfRun();
  const plans = await Promise.all(
    [['a', 'b'], ['c', 'd'], ['e']].map((subjects) => steps.begin({ subjects, round: 0 })),
  );
  const batches = [randomUUID(), randomUUID(), null];
  const booked = await Promise.all(
    plans.map(({ calls }, index) => steps.book({ calls, batchId: batches[index] ?? null })),
  );
  expect(booked.map((calls) => subjectsOf(calls).length)).toEqual([2, 1, 0]);
  const sent = (await readCalls(product.db, user.id)).filter(({ state }) => state === 'sent');
  expect(sent.map(({ batch_id }) => batch_id).sort()).toEqual([batches[0], batches[0], batches[1]].sort());
});

test('departures that are asked for together keep the limits of their key', async () => {
  const { steps } = await stepsOfRun();
  const waits = await Promise.all(Array.from({ length: 24 }, () => steps.takeDeparture()));
  // Later ones were asked for later, by no more than the first two questions took.
  const [first = 0, tenth = 0, eleventh = 0, last = 0] = [waits[0], waits[9], waits[10], waits[23]];
  expect(first).toBe(0);
  expect(tenth).toBe(0);
  expect(eleventh).toBeGreaterThan(500);
  expect(last - eleventh).toBeGreaterThan(900);
});

test('answers to requests that left together are settled in one transaction, and a late one keeps none from being settled', async () => {
  const { user, steps } = await stepsOfRun();
  const subjects = ['a', 'b', 'c'];
  const plans = await Promise.all(
    subjects.map((one) => steps.begin({ subjects: [one], round: 0, request: randomUUID() })),
  );
  const answers = new Map(subjects.map((subject) => [subject, Promise.withResolvers<void>()]));
  const settling = plans.map(async ({ calls }) => {
    await steps.send(async () => answers.get(calls[0]?.subject ?? '')?.promise);
    const bought = { answer: { contacts: [] }, costMicros: 0, rememberMs: 'for good' as const };
    await steps.settle({ settled: calls.map((call) => ({ ...call, ...bought, answeredAt: new Date() })) });
  });
  answers.get('a')?.resolve();
  await pause(1);
  answers.get('b')?.resolve();
  await Promise.all(settling.slice(0, 2));
  const settledAt = async () => {
    const calls = await readCalls(product.db, user.id);
    return new Map(calls.map(({ subject, settled_at }) => [subject, settled_at?.getTime()]));
  };
  const early = await settledAt();
  expect(early.get('a')).toBe(early.get('b'));
  expect(early.get('c')).toBeUndefined();
  answers.get('c')?.resolve();
  await Promise.all(settling);
  expect((await settledAt()).get('c')).toBeGreaterThan(early.get('a') ?? Number.POSITIVE_INFINITY);
});
