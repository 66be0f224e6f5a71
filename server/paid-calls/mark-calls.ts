import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { pause } from '#server/pause.ts';
import { RunStopped } from '#server/runs/run-stopped.ts';
import type { PayContext } from './operation.ts';
import type { PlannedCall } from './plan-calls.ts';

/**
 * Books planned calls as sent, right before they are: only while this process holds the run and nobody has cancelled it, and as many
 * as the run's bound has room for. Answers those that were still planned. Throws RunStopped.
 */
export async function markSent(
  { deps, run, owner, signal }: PayContext,
  calls: readonly PlannedCall[],
  batchId: string | null,
): Promise<PlannedCall[]> {
  const ids = calls.map((call) => call.id);
  for (;;) {
    const { rows } = await sql<PlannedCall>`
      select id, subject from app.book_sent(${run.id}::uuid, ${owner}::uuid, ${ids}::uuid[], ${batchId}::uuid)
    `.execute(deps.db);
    if (rows.length > 0 || !(await mayStillBeSent(deps.db, run.id, owner, ids))) return rows;
    await pause(ROOM_POLL_MS, signal);
  }
}

/** Calls in flight are booked at their estimate, and give room back when they cost less. */
const ROOM_POLL_MS = 250;

/** Whether calls that could not be sent may find room under the bound later. Throws RunStopped. */
async function mayStillBeSent(db: Db, runId: string, owner: string, callIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ held: boolean; cancelled: boolean; planned: boolean; in_flight: boolean }>`
    select state = 'running' and lease_owner = ${owner} and lease_expires_at > now() as held,
      cancel_requested_at is not null as cancelled,
      exists (select from app.paid_calls where id = any(${callIds}::uuid[]) and state = 'planned') as planned,
      exists (select from app.ledger_days where run_id = ${runId} and sent > 0) as in_flight
    from app.runs where id = ${runId}
  `.execute(db);
  const [run] = rows;
  if (!run?.held) throw new RunStopped('lease_lost');
  if (run.cancelled) throw new RunStopped('cancelled');
  if (run.planned && !run.in_flight) throw new RunStopped('bound_reached');
  return run.planned;
}

/** Why calls did not bring an answer. */
export type CallFailure = { kind: string; message: string };

/** After a failure after which repeating costs nothing: to be sent again. `charged`: this try may have been charged. */
export const markPlanned = (
  db: Db,
  calls: readonly PlannedCall[],
  failure: CallFailure,
  charged: boolean,
): Promise<void> => mark(db, calls, 'planned', failure, charged);

/** After a failure without a charge, for good; uncertain where an earlier try may have been charged. */
export const markFailed = (db: Db, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(db, calls, 'failed', failure, false);

/** After a failure that may have been charged: booked at the estimate until settled. */
export const markUncertain = (db: Db, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(db, calls, 'uncertain', failure, true);

async function mark(
  db: Db,
  calls: readonly PlannedCall[],
  state: 'planned' | 'failed' | 'uncertain',
  failure: CallFailure,
  charged: boolean,
): Promise<void> {
  await sql`
    with changed as (
      update app.paid_calls
      set state = case when ${state === 'failed'} and maybe_charged then 'uncertain' else ${state} end,
        error_kind = ${failure.kind}, error_message = ${failure.message},
        maybe_charged = maybe_charged or ${charged},
        cost_micros = case when maybe_charged or ${charged} then estimate_micros else 0 end,
        settled_at = case when ${state === 'planned'} then null else now() end
      where id = any(${calls.map((call) => call.id)}::uuid[]) and state = 'sent'
      returning id
    )
    select pg_notify('call_settled', id::text) from changed where ${state !== 'planned'}
  `.execute(db);
}
