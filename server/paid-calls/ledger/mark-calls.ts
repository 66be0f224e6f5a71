import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import { pause } from '#server/lib/pause.ts';
import { keyExchanged, sandboxMismatch } from '#server/paid-calls/ledger/sandbox-mismatch.ts';
import type { PayContext, PlannedCall } from '#server/paid-calls/operation.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';

/** What is to leave as one request. `batchId`: null for a single call. */
export type Departure = { calls: readonly PlannedCall[]; batchId: string | null };

/**
 * Books the calls of requests as sent, as many as the run's bound has room for.
 * - Only while this process holds the run, no one has cancelled it, and the stored key is of the run's kind (sandbox or real).
 * - Returns for each request the calls that may leave with it. A call that several want leaves with the first of them.
 */
export async function bookSent(
  { deps, run, owner }: Pick<PayContext, 'deps' | 'run' | 'owner'>,
  departures: readonly Departure[],
): Promise<PlannedCall[][]> {
  const wanted = departures.flatMap(({ calls, batchId }) => calls.map(({ id }) => ({ id, batchId })));
  const { rows } = await sql<PlannedCall>`
    select id, subject from app.book_calls(${run.id}::uuid, ${owner}::uuid, ${wanted.map(({ id }) => id)}::uuid[],
      ${wanted.map(({ batchId }) => batchId)}::uuid[])
  `.execute(deps.db);
  const booked = new Map(rows.map((call) => [call.id, call]));
  const take = ({ id }: PlannedCall) => {
    const call = booked.get(id);
    booked.delete(id);
    return call ?? [];
  };
  return departures.map(({ calls }) => calls.flatMap(take));
}

/**
 * Books planned calls as sent, right before they are. Returns those that may be, or undefined while the bound has no room for any.
 * - `book`: books them, as `bookSent` does.
 * @throws RunStopped
 */
export async function markSent(
  { deps, run, owner }: PayContext,
  departure: Departure,
  book: (departure: Departure) => Promise<PlannedCall[]>,
): Promise<PlannedCall[] | undefined> {
  const booked = await book(departure);
  const ids = departure.calls.map((call) => call.id);
  if (booked.length > 0) return booked;
  return (await prospectOf(deps.db, run.id, owner, ids)) === 'not planned' ? booked : undefined;
}

/** Calls in flight are booked at their estimate, and give room back when they cost less. */
const ROOM_POLL_MS = 250;

/**
 * Resolves when the run's bound has room for one of the calls, or when none of them is planned anymore.
 * @throws RunStopped, SANDBOX_MISMATCH
 */
export async function waitForRoom(
  { deps, run, owner, signal }: PayContext,
  calls: readonly PlannedCall[],
): Promise<void> {
  const ids = calls.map((call) => call.id);
  while ((await prospectOf(deps.db, run.id, owner, ids)) === 'waits for room') await pause(ROOM_POLL_MS, signal);
}

/**
 * Returns whether calls that could not be sent may leave now, wait for room in the run's bound, or are no longer planned.
 * @throws RunStopped, SANDBOX_MISMATCH
 */
async function prospectOf(
  db: Db,
  runId: string,
  owner: string,
  callIds: readonly string[],
): Promise<'has room' | 'waits for room' | 'not planned'> {
  const { rows } = await sql<{
    held: boolean;
    cancelled: boolean;
    needed: number | null;
    booked: number;
    in_flight: boolean;
    bound_micros: number;
    other_kind: boolean;
    provider: ProviderId | null;
    sandbox: boolean;
    list_id: string | null;
  }>`
    select state = 'running' and lease_owner = ${owner} and lease_expires_at > now() as held,
      cancel_requested_at is not null as cancelled, bound_micros, sandbox, list_id,
      app.key_is_of_other_kind(${callIds}::uuid[]) as other_kind,
      (select provider from app.paid_calls where id = any(${callIds}::uuid[]) limit 1) as provider,
      (select case when bool_or(cost_micros > 0) then 0
          else (array_agg(estimate_micros order by array_position(${callIds}::uuid[], id)))[1] end
        from app.paid_calls where id = any(${callIds}::uuid[]) and state = 'planned') as needed,
      ledger.booked, ledger.in_flight
    from app.runs, lateral (
      select coalesce(sum(cost_micros), 0)::bigint as booked, coalesce(bool_or(sent > 0), false) as in_flight
      from app.ledger_days where run_id = ${runId}
    ) as ledger
    where id = ${runId}
  `.execute(db);
  const [run] = rows;
  if (!run?.held) throw new RunStopped('lease_lost');
  if (run.cancelled) throw new RunStopped('cancelled');
  if (run.needed === null) return 'not planned';
  if (run.other_kind && run.provider) throw run.list_id ? sandboxMismatch(run.provider, run.sandbox) : keyExchanged();
  if (run.booked + run.needed <= run.bound_micros) return 'has room';
  if (!run.in_flight) throw new RunStopped('bound_reached');
  return 'waits for room';
}

/** Why calls brought no answer. */
export type CallFailure = { kind: string; message: string };

type Marking = Pick<PayContext, 'deps'> & { run: Pick<PayContext['run'], 'id'> };

/** Plans calls again after a failure that costs nothing to repeat. `charged`: this try may have been charged. */
export const markPlanned = (
  context: Marking,
  calls: readonly PlannedCall[],
  failure: CallFailure,
  charged: boolean,
): Promise<void> => mark(context, calls, 'planned', failure, charged);

/** Fails calls for good after a failure without a charge. Where an earlier try may have been charged, they are uncertain. */
export const markFailed = (context: Marking, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(context, calls, 'failed', failure, false);

/** Marks calls as uncertain after a failure that may have been charged. They are booked at the estimate until settled. */
export const markUncertain = (context: Marking, calls: readonly PlannedCall[], failure: CallFailure): Promise<void> =>
  mark(context, calls, 'uncertain', failure, true);

/** Whether none of the last `count` requests of a run brought an answer that could be read. */
export async function areUnread(db: Db, runId: string, count: number): Promise<boolean> {
  const { rows } = await sql<{ unread: boolean }>`
    select count(*) = ${count}::integer and bool_and(unread) as unread from (
      select bool_and(state = 'uncertain' and error_kind = 'unknown_shape') as unread
      from app.paid_calls where run_id = ${runId} and settled_at is not null
      group by coalesce(batch_id, id) order by max(settled_at) desc limit ${count}::integer
    ) as request
  `.execute(db);
  return rows[0]?.unread ?? false;
}

/** Locks the run before its calls, in the same order as whatever takes the run over or settles its calls. */
async function mark(
  { deps, run }: Marking,
  calls: readonly PlannedCall[],
  state: 'planned' | 'failed' | 'uncertain',
  failure: CallFailure,
  charged: boolean,
): Promise<void> {
  await sql`
    with marked as (
      select call.id
      from (select id from app.runs where id = ${run.id} for no key update) as run
      join app.paid_calls as call on call.run_id = run.id
      where call.id = any(${calls.map((call) => call.id)}::uuid[]) and call.state = 'sent'
      order by call.id for update of call
    ), changed as (
      update app.paid_calls as call
      set state = case when ${state === 'failed'} and maybe_charged then 'uncertain' else ${state} end,
        error_kind = ${failure.kind}, error_message = ${failure.message},
        maybe_charged = maybe_charged or ${charged},
        cost_micros = case when maybe_charged or ${charged} then estimate_micros else 0 end,
        settled_at = case when ${state === 'planned'} then null else now() end
      from marked where call.id = marked.id
      returning call.id
    )
    select pg_notify('call_settled', id::text) from changed where ${state !== 'planned'}
  `.execute(deps.db);
}
