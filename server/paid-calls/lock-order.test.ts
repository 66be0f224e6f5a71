import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { readCalls } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { markFailed } from './ledger/mark-calls.ts';

const OWNER = '00000000-0000-4000-8000-00000000000a';
const SUBJECTS = Array.from({ length: 6 }, (_, number) => `lock${number}.example`);
const FAILURE = { kind: 'transient', message: 'It did not answer.' };

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

/** A run with calls that were sent. */
async function buildSentCalls() {
  const held = await buildHeldRun({ product, owner: OWNER, boundMicros: 1_000_000 });
  const { calls } = await held.steps.begin({ subjects: SUBJECTS, round: 0 });
  await held.steps.book({ calls, batchId: null });
  const states = async () => [...new Set((await readCalls(product.db, held.user.id)).map(({ state }) => state))];
  return { ...held, calls, states, marking: { deps: product.workerDeps, run: { id: held.runId } } };
}

/** Begins `work` while `rows` are locked, and returns how many calls of a run are free once it waits for them. Then lets it end. */
async function freeCallsWhile(rows: RawBuilder<unknown>, runId: string, work: () => Promise<unknown>): Promise<number> {
  const { begun, free } = await product.db.transaction().execute(async (tx) => {
    await rows.execute(tx);
    const begun = work();
    await expect.poll(() => countLockWaits(product.db)).toBe(1);
    const free = sql`select from app.paid_calls where run_id = ${runId} for update skip locked`;
    return { begun, free: (await free.execute(product.db)).rows.length };
  });
  await begun;
  return free;
}

test('a request that failed waits for anyone who takes its run over before it locks a call', async () => {
  const { runId, calls, states, marking } = await buildSentCalls();
  const run = sql`select from app.runs where id = ${runId} for no key update`;
  expect(await freeCallsWhile(run, runId, () => markFailed(marking, calls, FAILURE))).toBe(SUBJECTS.length);
  expect(await states()).toEqual(['failed']);
});

test('settling by hand waits for an answer that comes late before it locks a call', async () => {
  const { user, runId, states } = await buildSentCalls();
  await sql`update app.paid_calls set state = 'uncertain' where run_id = ${runId}`.execute(product.db);
  const run = sql`select from app.runs where id = ${runId} for no key update`;
  const settling = () => user.call(settleCallsEndpoint, { run_id: runId, charged: false });
  expect(await freeCallsWhile(run, runId, settling)).toBe(SUBJECTS.length);
  expect(await states()).toEqual(['failed']);
});

test('answers lock the calls of other runs in the order of their ids, as settling by hand does', async () => {
  const { user, calls, steps } = await buildSentCalls();
  const ids = SUBJECTS.map(
    (_, number) => `00000000-0000-4000-8000-${String(SUBJECTS.length - number).padStart(12, '0')}`,
  );
  const { rows } = await sql<{ id: string }>`
    insert into app.runs (user_id, list_name, kind, input, sandbox, state)
    values (${user.id}, 'Older', 'enrichment', '{}', true, 'completed') returning id`.execute(product.db);
  const [{ id: older } = { id: '' }] = rows;
  await sql`
    insert into app.paid_calls (id, idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, sandbox, sent_at)
    select id, gen_random_uuid(), ${older}, ${user.id}, 'hunter_io', 'domain_search', subject, 'uncertain', 50000, true, now()
    from unnest(${ids}::uuid[], ${SUBJECTS}::text[]) as given (id, subject)`.execute(product.db);
  const bought = {
    answer: { contacts: [] },
    costMicros: 50_000,
    rememberMs: 'for good' as const,
    answeredAt: new Date(),
  };
  const first = sql`select from app.paid_calls where id = ${ids.at(-1)} for update`;
  const settling = () => steps.settle({ settled: calls.map((call) => ({ ...call, ...bought })) });
  expect(await freeCallsWhile(first, older, settling)).toBe(SUBJECTS.length - 1);
});
