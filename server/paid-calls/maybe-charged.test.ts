import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { finishRun } from '#server/runs/finish-run.ts';
import { claimNextRun } from '#server/runs/run-lease.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { costOfRun } from './ledger/cost-of-run.ts';

const [DEAD, NEXT] = ['00000000-0000-4000-8000-00000000000d', '00000000-0000-4000-8000-00000000000e'];
const PRICE = 50_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

/** A run that may cost three domains; its process died with two of four domains sent. Both may have been charged. */
async function buildInterrupted(user: TestUser) {
  const listId = await buildListOf(product.db, user.id, [{ website: 'https://lost.example' }]);
  const { id: runId } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: 'Lost',
      kind: 'enrichment',
      input: '{}',
      sandbox: true,
      state: 'running',
      bound_micros: 3 * PRICE,
      lease_owner: DEAD,
      started_at: sql<Date>`now() - interval '20 s'`,
      lease_expires_at: sql<Date>`now() - interval '1 s'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const calls = await product.db
    .insertInto('app.paid_calls')
    .values(
      ['sent', 'sent', 'planned', 'planned'].map((state, index) => ({
        idempotency_key: `${runId}:${index}`,
        run_id: runId,
        user_id: user.id,
        provider: 'hunter_io',
        operation: 'domain_search',
        subject: `lost${index}.example`,
        sandbox: true,
        state,
        estimate_micros: PRICE,
        cost_micros: state === 'sent' ? PRICE : 0,
        attempts: state === 'sent' ? 1 : 0,
      })),
    )
    .returning('id')
    .execute();
  const run = await claimNextRun(product.db, NEXT);
  expect(run?.id).toBe(runId);
  return { runId, calls: calls.map((call) => call.id) };
}

async function book(runId: string, calls: readonly (string | undefined)[]): Promise<number> {
  const { rows } = await sql`
    select from app.book_sent(${runId}::uuid, ${NEXT}::uuid, ${calls}::uuid[], null)
  `.execute(product.db);
  return rows.length;
}

test('what was in flight at a crash stays booked while it waits to be sent again, and needs no room of its own then', async () => {
  const user = await product.user();
  const { runId, calls } = await buildInterrupted(user);
  const [first, second, third, fourth] = calls;
  expect((await readCalls(product.db, user.id)).map((call) => call.state)).toEqual(Array(4).fill('planned'));
  expect(await costOfRun(product.db, runId)).toBe(2 * PRICE);
  expect(await book(runId, [third, fourth])).toBe(1);
  expect(await book(runId, [first, second])).toBe(2);
  expect(await costOfRun(product.db, runId)).toBe(3 * PRICE);
  await finishRun(product.deps, kinds, { id: runId }, { end: 'cancelled' });
});

test('a run that ends before it could repeat what was in flight leaves that uncertain, not free', async () => {
  const user = await product.user();
  const { runId } = await buildInterrupted(user);
  await finishRun(product.deps, kinds, { id: runId }, { end: 'cancelled' });
  const ended = (await readCalls(product.db, user.id)).toSorted((a, b) => a.subject.localeCompare(b.subject));
  expect(ended.map((call) => `${call.state} ${call.cost_micros}`)).toEqual([
    ...Array(2).fill(`uncertain ${PRICE}`),
    ...Array(2).fill('failed 0'),
  ]);
  expect(await costOfRun(product.db, runId)).toBe(2 * PRICE);
});

test('a try that is refused does not make free what an earlier try may have cost', async () => {
  const worker = await product.process();
  const user = await product.user();
  // In turn: a refusal, an answer that is cut off and charged, a refusal.
  await user.connect('hunter_io', 'sandbox-maybe-down');
  const listId = await buildListOf(product.db, user.id, [{ website: 'https://found.example' }]);
  await expect(user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] })).rejects.toMatchObject({
    code: 'PROVIDER_FAILED',
  });
  const usage = product.sandbox.meter.rows().find((row) => row.key === 'sandbox-maybe-down');
  expect(usage).toMatchObject({ calls: 3, micros: PRICE });
  expect(await readCalls(product.db, user.id)).toMatchObject([{ state: 'uncertain', cost_micros: PRICE, attempts: 3 }]);
  const [run] = await readRuns(product.db, user.id);
  expect(await costOfRun(product.db, run?.id ?? '')).toBe(PRICE);
  await worker.stop();
});
