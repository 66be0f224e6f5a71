import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { RunStopped } from '#server/runs/run-stopped.ts';
import type { PayContext } from './operation.ts';
import type { PlannedCall } from './plan-calls.ts';

/**
 * Books planned calls as sent, right before they are: only while this process holds the run and nobody has cancelled it.
 * Answers those that were still planned. Throws RunStopped.
 */
export async function markSent(
  { deps, run, owner }: PayContext,
  calls: readonly PlannedCall[],
  batchId: string | null,
): Promise<PlannedCall[]> {
  const { rows } = await sql<PlannedCall>`
    update app.paid_calls
    set state = 'sent', sent_at = now(), attempts = attempts + 1, cost_micros = estimate_micros, batch_id = ${batchId}
    where id = any(${calls.map((call) => call.id)}::uuid[]) and state = 'planned'
      and exists (
        select from app.runs where id = ${run.id} and state = 'running' and lease_owner = ${owner}
          and lease_expires_at > now() and cancel_requested_at is null
      )
    returning id, subject
  `.execute(deps.db);
  if (rows.length === 0) await refuseStopped(deps.db, run.id, owner);
  return rows;
}

async function refuseStopped(db: Db, runId: string, owner: string): Promise<void> {
  const { rows } = await sql<{ held: boolean; cancelled: boolean }>`
    select state = 'running' and lease_owner = ${owner} and lease_expires_at > now() as held,
      cancel_requested_at is not null as cancelled
    from app.runs where id = ${runId}
  `.execute(db);
  const [run] = rows;
  if (!run?.held) throw new RunStopped('lease_lost');
  if (run.cancelled) throw new RunStopped('cancelled');
}

/** Why calls did not bring an answer. */
export type CallFailure = { kind: string; message: string };

/** After a failure without a charge: to be sent again. */
export const markPlanned = (db: Db, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(db, calls, 'planned', failure);

/** After a failure without a charge, for good. */
export const markFailed = (db: Db, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(db, calls, 'failed', failure);

/** After a failure that may have been charged: booked at the estimate until settled. */
export const markUncertain = (db: Db, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(db, calls, 'uncertain', failure);

async function mark(
  db: Db,
  calls: readonly PlannedCall[],
  state: 'planned' | 'failed' | 'uncertain',
  failure: CallFailure,
): Promise<void> {
  await sql`
    with changed as (
      update app.paid_calls
      set state = ${state}, error_kind = ${failure.kind}, error_message = ${failure.message},
        cost_micros = case when ${state === 'uncertain'} then estimate_micros else 0 end,
        settled_at = case when ${state === 'planned'} then null else now() end
      where id = any(${calls.map((call) => call.id)}::uuid[]) and state = 'sent'
      returning id
    )
    select pg_notify('call_settled', id::text) from changed where ${state !== 'planned'}
  `.execute(db);
}
