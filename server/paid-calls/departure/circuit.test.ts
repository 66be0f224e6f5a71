import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ProviderId } from '#providers/provider.ts';
import { createWaits } from '#server/paid-calls/departure/waits.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { type Product, startProduct } from '#test/product.ts';
import { askCircuit, noteOutcome, passCircuit } from './circuit.ts';

let product: Product;
let context: PayContext;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
beforeEach(async () => {
  await sql`delete from app.provider_circuits`.execute(product.db);
  context = {
    deps: product.deps,
    run: { id: '', userId: '', sandbox: true, input: {}, totals: {} },
    owner: '',
    key: { apiKey: '', fingerprint: 'a-key', sandbox: true },
    waits: createWaits(),
    signal: new AbortController().signal,
  };
});

const fail = async (times: number) => {
  for (let time = 0; time < times; time += 1) await noteOutcome(context, 'hunter_io', 'no_answer');
};
const passAs = (caller: PayContext, provider: ProviderId, patienceMs: number) => {
  const ask = async () => (await askCircuit(caller, provider, 1))[0] ?? null;
  return passCircuit(caller, provider, ask, patienceMs);
};
const pass = (patienceMs: number) => passAs(context, 'hunter_io', patienceMs);
const silent = { kind: 'transient', message: expect.stringMatching(/^Hunter has not responded.*Press Retry/) };
const restIsOver = () =>
  sql`update app.provider_circuits set next_try_at = now() - interval '1 second'`.execute(product.db);

test('a few failures stop no one, and an answer forgets them', async () => {
  await fail(4);
  await pass(0);
  await noteOutcome(context, 'hunter_io', 'answered');
  await fail(4);
  await pass(0);
});

test('after five failures in a row a call waits, says so, and gives up with words', async () => {
  await fail(5);
  const refused = expect(pass(300)).rejects.toMatchObject(silent);
  await expect.poll(() => context.waits.current()?.reason).toBe('provider_down');
  expect(context.waits.current()?.until?.getTime()).toBeGreaterThan(Date.now() + 5_000);
  await refused;
});

test('another key, and another provider, go on', async () => {
  await fail(5);
  await passAs({ ...context, key: { ...context.key, fingerprint: 'another' } }, 'hunter_io', 0);
  await passAs(context, 'searchbug', 0);
});

test('after the rest one call tries, however many ask; its answer lets all others through', async () => {
  await fail(5);
  await restIsOver();
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => pass(0)));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await restIsOver();
  expect(await askCircuit(context, 'hunter_io', 3)).toEqual([null, expect.any(Date), expect.any(Date)]);
  const waiting = pass(10_000);
  await noteOutcome(context, 'hunter_io', 'answered');
  await waiting;
});

test('a try that fails begins the rest again', async () => {
  await fail(5);
  await restIsOver();
  await pass(0);
  await fail(1);
  await expect(pass(0)).rejects.toMatchObject(silent);
});
