import { sql } from 'kysely';
import { asyncCommit } from '#db/connection/async-commit.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { recall } from '#server/paid-calls/memory/recall.ts';
import type { Operation, Outcome, PayContext } from '#server/paid-calls/operation.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';

export type PlannedCall = { id: string; subject: string };
export type Plan<A> = {
  /** Calls that are ours to send. */
  calls: PlannedCall[];
  /** Settled by someone else in the last moment. */
  outcomes: Map<string, Outcome<A>>;
  /** Calls that someone else has in flight. */
  others: PlannedCall[];
};

/** What is to be asked about. `round` tells a new attempt of the same run on a subject from a repetition by a second process. */
export type Wanted = { subjects: readonly string[]; round: number };

/**
 * Plans a call for every subject that no one has in flight, and finds the calls that this run had planned before a crash.
 * - Keys hold no subject in plain text: a page's subject has coordinates, which must be deleted after a time.
 * - Returns a plan for each of `wanted`, in its order.
 * @throws RunStopped when this process no longer holds the run.
 */
export async function planCalls<A>(
  { deps, run, owner }: Pick<PayContext, 'deps' | 'run' | 'owner'>,
  operation: Operation<A>,
  wanted: readonly Wanted[],
): Promise<Plan<A>[]> {
  const subjects = wanted.flatMap((one) => one.subjects);
  const rounds = wanted.flatMap((one) => one.subjects.map(() => one.round));
  return guardedTransaction(deps.db, async (tx) => {
    await keepHeld(tx, run.id, owner);
    const { rows: written } = await sql<PlannedCall>`
      insert into app.paid_calls
        (idempotency_key, run_id, user_id, provider, operation, subject, estimate_micros, sandbox)
      select concat_ws(':', ${run.id}::text, ${operation.name}::text, round, md5(subject)), ${run.id}::uuid,
        ${run.userId}::uuid, ${operation.provider}, ${operation.name}, subject, ${operation.estimateMicros}::bigint,
        ${run.sandbox}::boolean
      from unnest(${subjects}::text[], ${rounds}::integer[]) as wanted (subject, round)
      order by subject
      on conflict do nothing
      returning id, subject
    `.execute(tx);
    // Looked up only now: an answer that was stored before the row could be written is visible from here on.
    const outcomes = await recall(tx, { run }, operation, subjects);
    const needless = written.filter((call) => outcomes.has(call.subject)).map((call) => call.id);
    if (needless.length > 0) await sql`delete from app.paid_calls where id = any(${needless}::uuid[])`.execute(tx);

    const areAllWritten = written.length === new Set(subjects).size;
    const inFlight = areAllWritten
      ? written.map((call) => ({ ...call, mine: true }))
      : await callsInFlight(tx, run, operation, subjects);
    return wanted.map((one) => {
      const open = inFlight.filter(({ subject }) => one.subjects.includes(subject) && !outcomes.has(subject));
      return {
        calls: open.filter((call) => call.mine),
        others: open.filter((call) => !call.mine),
        outcomes: new Map([...outcomes].filter(([subject]) => one.subjects.includes(subject))),
      };
    });
  });
}

/** Those that are `mine` are still to be sent by this run. */
async function callsInFlight(
  tx: Tx,
  run: PayContext['run'],
  { provider, name }: Operation<unknown>,
  subjects: readonly string[],
): Promise<(PlannedCall & { mine: boolean })[]> {
  const { rows } = await sql<PlannedCall & { mine: boolean }>`
    select id, subject, run_id = ${run.id} and state = 'planned' as mine from app.paid_calls
    where state in ('planned', 'sent') and user_id = ${run.userId} and provider = ${provider}
      and operation = ${name} and sandbox = ${run.sandbox} and subject = any(${subjects})
  `.execute(tx);
  return rows;
}

/**
 * Keeps the run from ending or changing its process until the transaction ends. Otherwise others would wait for calls that no one sends.
 * - Commits asynchronously: booking the calls writes the plan to the disk, too.
 * @throws RunStopped when the run has ended or changed its process.
 */
async function keepHeld(tx: Tx, runId: string, owner: string): Promise<void> {
  const { rows } = await sql`
    select from app.runs where id = ${runId} and state = 'running' and lease_owner = ${owner} and ${asyncCommit} for share
  `.execute(tx);
  if (rows.length === 0) throw new RunStopped('lease_lost');
}
