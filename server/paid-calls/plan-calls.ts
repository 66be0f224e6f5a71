import { sql } from 'kysely';
import type { Operation, Outcome, PayContext } from './operation.ts';
import { recall } from './recall.ts';

export type PlannedCall = { id: string; subject: string };
export type Plan<A> = {
  /** Calls that are ours to send. */
  calls: PlannedCall[];
  /** Settled by somebody else in the last moment. */
  outcomes: Map<string, Outcome<A>>;
  /** Calls that somebody else has in flight. */
  others: PlannedCall[];
};

/**
 * Writes a planned call for every subject that nobody has in flight, and finds again what this run had planned before a crash.
 * `round` tells a new attempt of the same run on a subject from a repetition by a second process. Keys hold no subject as it is, because
 * a page's holds coordinates, which have their time.
 */
export async function planCalls<A>(
  { deps, run }: PayContext,
  operation: Operation<A>,
  subjects: readonly string[],
  round: number,
): Promise<Plan<A>> {
  return deps.db.transaction().execute(async (tx) => {
    const { rows: written } = await sql<PlannedCall>`
      insert into app.paid_calls
        (idempotency_key, run_id, user_id, provider, operation, subject, estimate_micros, sandbox)
      select concat_ws(':', ${run.id}::text, ${operation.name}::text, ${round}::integer, md5(subject)), ${run.id}::uuid,
        ${run.userId}::uuid, ${operation.provider}, ${operation.name}, subject, ${operation.estimateMicros}::bigint,
        ${run.sandbox}::boolean
      from unnest(${subjects}::text[]) as subject
      order by subject
      on conflict do nothing
      returning id, subject
    `.execute(tx);
    // Looked up only now: an answer that was stored before the row could be written is visible from here on.
    const outcomes = await recall(tx, { run }, operation, subjects);
    const needless = written.filter((call) => outcomes.has(call.subject)).map((call) => call.id);
    if (needless.length > 0) await sql`delete from app.paid_calls where id = any(${needless}::uuid[])`.execute(tx);

    const { rows: inFlight } = await sql<PlannedCall & { mine: boolean }>`
      select id, subject, run_id = ${run.id} and state = 'planned' as mine from app.paid_calls
      where state in ('planned', 'sent') and user_id = ${run.userId} and provider = ${operation.provider}
        and operation = ${operation.name} and sandbox = ${run.sandbox} and subject = any(${subjects})
    `.execute(tx);
    return {
      calls: inFlight.filter((call) => call.mine && !outcomes.has(call.subject)),
      others: inFlight.filter((call) => !call.mine && !outcomes.has(call.subject)),
      outcomes,
    };
  });
}
