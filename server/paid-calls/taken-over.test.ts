import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { finishRun } from '#server/runs/finish-run.ts';
import { claimNextRun } from '#server/runs/run-lease.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { readCalls } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

const [SLOW, NEXT] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

/** A run that a process works on which does not know that others may do so now. */
async function buildRunOfSlowProcess() {
  const { user, ...held } = await buildHeldRun({ product, owner: SLOW, boundMicros: 1_000_000 });
  const states = async () => (await readCalls(product.db, user.id)).map(({ state }) => state);
  return { ...held, states };
}
const wantedOf = (subject: string) => ({ subjects: [subject], round: 0 });

test('who has lost a run plans nothing more, which no one would send and other runs would wait for', async () => {
  const { runId, steps, states } = await buildRunOfSlowProcess();
  await steps.begin(wantedOf('in-time.example'));
  await finishRun(product.deps, kinds, { id: runId }, { end: 'cancelled' });
  await expect(steps.begin(wantedOf('too-late.example'))).rejects.toMatchObject({ reason: 'lease_lost' });
  expect(await states()).toEqual(['failed']);
});

test('answers that are just being booked are there before anyone takes the run over', async () => {
  const { runId, steps, states } = await buildRunOfSlowProcess();
  const { calls } = await steps.begin(wantedOf('answered.example'));
  await steps.book({ calls, batchId: null });
  await sql`update app.runs set lease_expires_at = now() - interval '1 s' where id = ${runId}`.execute(product.db);
  const bought = { answer: { contacts: [] }, costMicros: 0, rememberMs: 'for good' as const, answeredAt: new Date() };
  const settling = await product.db.transaction().execute(async (tx) => {
    await sql`select from app.paid_calls where run_id = ${runId} for update`.execute(tx);
    const begun = steps.settle({ settled: calls.map((call) => ({ ...call, ...bought })) });
    await expect.poll(() => countLockWaits(product.db)).toBe(1);
    expect(await claimNextRun(product.workerDeps.db, NEXT)).toBeUndefined();
    return { begun };
  });
  await settling.begun;
  expect(await claimNextRun(product.workerDeps.db, NEXT)).toMatchObject({ id: runId });
  expect(await states()).toEqual(['answered']);
});

test('who takes a run over and has lost it again sorts out nothing of what the next one may have sent', async () => {
  const { runId, steps, states } = await buildRunOfSlowProcess();
  const { calls } = await steps.begin(wantedOf('sent.example'));
  await steps.book({ calls, batchId: null });
  await sql`update app.runs set lease_expires_at = now() - interval '1 s' where id = ${runId}`.execute(product.db);
  // As if another process had claimed it right after.
  await sql`
    create function public.claim_at_once() returns trigger language plpgsql as
    $$begin new.lease_owner := gen_random_uuid(); return new; end$$`.execute(product.db);
  await sql`
    create trigger claim_at_once before update on app.runs
    for each row when (new.lease_owner = '00000000-0000-4000-8000-00000000000b') execute function public.claim_at_once()
  `.execute(product.db);
  expect(await claimNextRun(product.workerDeps.db, NEXT)).toBeUndefined();
  expect(await states()).toEqual(['sent']);
  await sql`drop function public.claim_at_once cascade`.execute(product.db);
});
