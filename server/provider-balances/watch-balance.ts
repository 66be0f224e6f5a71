import { sql } from 'kysely';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { noteReading } from './readings.ts';

/** What is left on a prepaid account, as the answers of a run tell it. Several of its calls may be out at once. */
export type BalanceWatch = {
  /** Sends a request and notes what its answer says, in micro-dollars. */
  during<T extends { balanceMicros?: number }>(send: () => Promise<T>): Promise<T>;
  /** What was left after the last charge; undefined when no answer has said it, or money was paid in meanwhile. */
  left(): number | undefined;
};

export function watchBalance(): BalanceWatch {
  let lowest: number | undefined;
  let isRaised = false;
  return {
    async during(send) {
      const before = lowest;
      const answer = await send();
      const { balanceMicros } = answer;
      if (balanceMicros === undefined) return answer;
      if (before !== undefined && balanceMicros > before) isRaised = true;
      lowest = Math.min(lowest ?? balanceMicros, balanceMicros);
      return answer;
    },
    left: () => (isRaised ? undefined : lowest),
  };
}

/**
 * Keeps the balance that SearchBug's answers to a run have told, unless it may not count every call.
 * It may not while calls are out, or when another run of the user had answers since this one sent its last call.
 */
export async function noteBalance({ deps, run, key }: PayContext, balance: BalanceWatch): Promise<void> {
  const value = balance.left();
  if (value === undefined) return;
  const { rows } = await sql`
    ${KEPT} select from app.paid_calls
    where user_id = ${run.userId} and provider = 'searchbug' and planned_at > now() - interval '1 day'
      and (state = 'sent' or (run_id <> ${run.id} and settled_at >= (
        select max(sent_at) from app.paid_calls where run_id = ${run.id})))
    limit 1
  `.execute(deps.db);
  if (rows.length > 0) return;
  const { fingerprint, sandbox } = key;
  await noteReading(deps.db, { userId: run.userId, provider: 'searchbug', fingerprint, sandbox }, { value });
}
