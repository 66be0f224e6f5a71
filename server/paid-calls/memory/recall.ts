import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type Operation, type Outcome, type PayContext, WHEN_UNCERTAIN } from '#server/paid-calls/operation.ts';

/**
 * Reads what is settled about subjects: remembered answers, and uncertain calls that must not be repeated.
 * Subjects that may be bought are left out.
 */
export async function recall<A>(
  db: Db | Tx,
  { run }: Pick<PayContext, 'run'>,
  operation: Operation<A>,
  subjects: readonly string[],
): Promise<Map<string, Outcome<A>>> {
  const { provider, name } = operation;
  const { rows } = await sql<Settled>`
    ${KEPT} select subject, answer, answered_at, paid_call_id, run_id_of_call
    from app.recall(${run.id}::uuid, ${run.userId}::uuid, ${provider}, ${name}, ${run.sandbox}::boolean,
      ${WHEN_UNCERTAIN[name]}, ${subjects}::text[])
  `.execute(db);
  return toOutcomes(run.id, operation, rows);
}

/** A row of `app.recall`. In JSON, its time is a text. */
export type Settled = { subject: string } & (
  | { paid_call_id: null }
  | { paid_call_id: string; answer: unknown; answered_at: Date | string; run_id_of_call: string | null }
);

/** Turns settled rows into outcomes for the run. An answer that can no longer be read counts as not known. */
export function toOutcomes<A>(
  runId: string,
  { readAnswer }: Operation<A>,
  rows: readonly Settled[],
): Map<string, Outcome<A>> {
  const outcomes = new Map<string, Outcome<A>>();
  for (const row of rows) {
    const { subject } = row;
    if (row.paid_call_id === null) {
      // An answer that is there as well settles it.
      if (!outcomes.has(subject)) outcomes.set(subject, { state: 'uncertain', subject });
      continue;
    }
    const answer = readAnswer(row.answer);
    if (answer === undefined) continue;
    const { paid_call_id: callId, run_id_of_call: from } = row;
    const answeredAt = new Date(row.answered_at);
    outcomes.set(subject, { state: 'answered', subject, answer, callId, answeredAt, known: from !== runId });
  }
  return outcomes;
}
