import type { Insertable } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { listCallsEndpoint, settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { cancelRunEndpoint, getRunEndpoint } from '#contract/work/runs.ts';
import type { DB } from '#db/types.gen.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [ann, bob] = [await product.user(), await product.user()];
});

async function buildRun(run: Partial<Insertable<DB['app.runs']>> = {}): Promise<string> {
  const listId = await buildListOf(product.db, ann.id, [{ phone: '+1 512-555-0142' }], { status: 'processing' });
  const { id } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: ann.id,
      list_id: listId,
      list_name: 'Plumbers',
      kind: 'compliance',
      input: '{"leadIds":null}',
      sandbox: true,
      estimate_micros: 60_000,
      bound_micros: 80_000,
      ...run,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Calls of a run, each planned a moment after the one before. */
async function buildCalls(runId: string, states: readonly string[], operation = 'phone_scrub'): Promise<string[]> {
  const rows = states.map((state, index) => ({
    idempotency_key: `${runId}:${index}`,
    run_id: runId,
    user_id: ann.id,
    operation,
    state,
    sandbox: true,
    provider: 'searchbug',
    subject: `512555${String(index).padStart(4, '0')}`,
    estimate_micros: 20_000,
    cost_micros: state === 'failed' ? 0 : 20_000,
    planned_at: new Date(Date.UTC(2026, 10, 1, 12, 0, index)),
    sent_at: state === 'planned' ? null : new Date(Date.UTC(2026, 10, 1, 12, 1, index)),
  }));
  const made = await product.db.insertInto('app.paid_calls').values(rows).returning('id').execute();
  return made.map(({ id }) => id);
}

test('a run says what it is about, what is booked, and how its calls stand', async () => {
  const id = await buildRun({ state: 'running', waiting_reason: 'limit', waiting_until: '2026-11-01T12:01:00Z' });
  await buildCalls(id, ['answered', 'answered', 'uncertain', 'failed']);
  const { run } = await ann.call(getRunEndpoint, undefined, { id });
  expect(run).toMatchObject({
    listName: 'Plumbers in Springfield, IL',
    state: 'running',
    estimateMicros: 60_000,
    boundMicros: 80_000,
    costMicros: 60_000,
    calls: { answered: 2, uncertain: 1, failed: 1 },
    waiting: { reason: 'limit', until: '2026-11-01T12:01:00.000Z' },
  });
});

test('a run that has not begun says what it waits behind, by list and by person', async () => {
  const dan = await product.user();
  const build = async (list_id: string, run: Partial<Insertable<DB['app.runs']>>) =>
    (
      await product.db
        .insertInto('app.runs')
        .values({ user_id: dan.id, list_id, list_name: 'Old', kind: 'enrichment', input: '{}', sandbox: true, ...run })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const queueOf = async (id: string) => (await dan.call(getRunEndpoint, undefined, { id })).run.queue;
  const lists = await Promise.all(
    Array.from({ length: 9 }, (_, index) => buildListOf(product.db, dan.id, [{}], { name: `List ${index}` })),
  );
  const [first = '', ...others] = lists;
  const running = await build(first, { state: 'running', started_at: '2026-11-01T12:00:00Z' });
  const second = await build(first, { kind: 'compliance' });
  expect(await queueOf(running)).toBeNull();
  expect(await queueOf(second)).toEqual({
    behind: { kind: 'enrichment', steps: ['hunter'], listName: 'List 0' },
    ahead: 0,
  });
  const last = await build(others.at(-1) ?? '', {});
  expect(await queueOf(last)).toEqual({ behind: null, ahead: 1 });
  for (const list of others.slice(0, -1)) await build(list, { state: 'running', started_at: '2026-11-01T12:30:00Z' });
  expect(await queueOf(last)).toEqual({
    behind: { kind: 'enrichment', steps: ['hunter'], listName: 'List 0' },
    ahead: 1,
  });
});

test('its calls come in pages, the last first, and by state', async () => {
  const id = await buildRun({ state: 'completed' });
  await buildCalls(id, Array(101).fill('answered'));
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 1; page <= 3; page += 1) {
    const { calls, next } = await ann.call(listCallsEndpoint, undefined, { id, ...(after ? { after } : {}) });
    seen.push(...calls.map((call) => call.subject));
    after = next ?? undefined;
  }
  expect(after).toBeUndefined();
  expect(seen).toHaveLength(101);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect(await ann.call(listCallsEndpoint, undefined, { id, state: 'failed' })).toEqual({ calls: [], next: null });
});

test('calls that wait to be sent stand behind those that were sent, page by page', async () => {
  const id = await buildRun({ state: 'running' });
  const ids = await buildCalls(id, Array(70).fill('planned'));
  const sent = ids.slice(0, 20);
  for (const [index, call] of sent.entries())
    await product.db
      .updateTable('app.paid_calls')
      .set({ state: 'answered', sent_at: new Date(Date.UTC(2026, 10, 1, 13, 0, index)) })
      .where('id', '=', call)
      .execute();
  const first = await ann.call(listCallsEndpoint, undefined, { id });
  const second = await ann.call(listCallsEndpoint, undefined, { id, after: first.next ?? '' });
  const seen = [...first.calls, ...second.calls].map((call) => call.id);
  expect(seen).toEqual([...sent.toReversed(), ...ids.slice(20).toReversed()]);
});

test('a run that waits behind another is ended at once when it is cancelled; one that has ended stays as it is', async () => {
  // A list of its own: on the other, the end of an earlier test's run would start this one.
  const list_id = await buildListOf(product.db, ann.id, [{ phone: '+1 512-555-0199' }]);
  await buildRun({ list_id, kind: 'enrichment', state: 'running' });
  const worker = await product.process();
  const id = await buildRun({ list_id });
  const behind = await buildRun({ list_id, state: 'completed', finished_at: new Date() });
  expect(await ann.call(cancelRunEndpoint, undefined, { id })).toEqual({ cancelled: true });
  await eventually(async () => expect((await ann.call(getRunEndpoint, undefined, { id })).run.state).toBe('cancelled'));
  expect(await ann.call(cancelRunEndpoint, undefined, { id: behind })).toEqual({ cancelled: false });
  expect((await ann.call(getRunEndpoint, undefined, { id: behind })).run.state).toBe('completed');
  await worker.stop();
});

test('a run under way sends nothing more once it is cancelled, and what it found is kept', async () => {
  const worker = await product.process();
  const cat = await product.user();
  await cat.connect('searchbug', 'sandbox-cancelled-slow');
  const leads = Array.from({ length: 400 }, (_, index) => ({ phone: `+1 512-555-${String(index).padStart(4, '0')}` }));
  const listId = await buildListOf(product.db, cat.id, leads);
  const answer = expect(cat.call(checkComplianceEndpoint, { list_id: listId })).rejects.toMatchObject({
    code: 'RUN_CANCELLED',
  });
  await vi.waitFor(async () => expect((await readCalls(product.db, cat.id)).length).toBeGreaterThan(0), 5_000);
  const [run] = await readRuns(product.db, cat.id);
  await cat.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  await answer;
  const calls = await readCalls(product.db, cat.id);
  expect(calls.length).toBeLessThan(400);
  expect(calls.filter((call) => call.state === 'planned' || call.state === 'sent')).toEqual([]);
  expect((await readList(product.db, listId)).status).toBe('completed');
  await worker.stop();
}, 30_000);

test('what was lost is settled by hand once, at its estimate or at nothing, and may then be bought again', async () => {
  const id = await buildRun({ state: 'completed' });
  const [charged = '', free = '', answered = ''] = await buildCalls(id, ['uncertain', 'uncertain', 'answered']);
  expect(await ann.call(settleCallsEndpoint, { call_ids: [charged, answered], charged: true })).toEqual({ settled: 1 });
  expect(await ann.call(settleCallsEndpoint, { call_ids: [free, charged], charged: false })).toEqual({ settled: 1 });
  const { calls } = await ann.call(listCallsEndpoint, undefined, { id });
  const byId = new Map(calls.map((call) => [call.id, call]));
  expect(byId.get(charged)).toMatchObject({ state: 'failed', costMicros: 20_000 });
  expect(byId.get(free)).toMatchObject({ state: 'failed', costMicros: 0 });
  expect(byId.get(charged)?.settledByHandAt).toEqual(expect.any(String));
  expect(byId.get(answered)).toMatchObject({ state: 'answered', settledByHandAt: null });
});

test('all that a run has lost can be settled at once, and its list knows what its checks have cost', async () => {
  const id = await buildRun({ state: 'completed' });
  await buildCalls(id, ['uncertain', 'answered', 'uncertain']);
  expect((await ann.call(getRunEndpoint, undefined, { id })).run.uncertainMicros).toBe(40_000);
  expect(await ann.call(settleCallsEndpoint, { run_id: id, charged: false })).toEqual({ settled: 2 });
  expect((await ann.call(getRunEndpoint, undefined, { id })).run).toMatchObject({
    uncertainMicros: 0,
    costMicros: 20_000,
  });
  const [run] = (await readRuns(product.db, ann.id)).filter((one) => one.id === id);
  expect((await readList(product.db, run?.list_id ?? '')).compliance_cost_micros).toBe(20_000);
  await expect(ann.call(settleCallsEndpoint, { charged: false })).rejects.toMatchObject({ status: 422 });
});

test("someone else's runs and calls are not found, and nothing of them changes", async () => {
  const id = await buildRun();
  const [call = ''] = await buildCalls(id, ['uncertain']);
  const refused = { status: 404 };
  for (const one of [id, 'nonsense']) {
    await expect(bob.call(getRunEndpoint, undefined, { id: one })).rejects.toMatchObject(refused);
    await expect(bob.call(listCallsEndpoint, undefined, { id: one })).rejects.toMatchObject(refused);
    await expect(bob.call(cancelRunEndpoint, undefined, { id: one })).rejects.toMatchObject(refused);
  }
  for (const which of [{ call_ids: [call] }, { call_ids: ['nonsense'] }, { run_id: id }])
    await expect(bob.call(settleCallsEndpoint, { ...which, charged: false })).rejects.toMatchObject(refused);
  expect((await ann.call(getRunEndpoint, undefined, { id })).run).toMatchObject({
    cancelling: false,
    calls: { uncertain: 1 },
  });
});
