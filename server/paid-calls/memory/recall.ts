import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type Operation, type Outcome, type PayContext, WHEN_UNCERTAIN } from '#server/paid-calls/operation.ts';

/**
 * What is already settled about subjects: answers that are remembered, and calls that are uncertain and must not be repeated.
 * Subjects that may be bought are left out.
 */
export async function recall<A>(
  db: Db | Tx,
  { run }: Pick<PayContext, 'run'>,
  operation: Operation<A>,
  subjects: readonly string[],
): Promise<Map<string, Outcome<A>>> {
  const { provider, name } = operation;
  const whenUncertain = WHEN_UNCERTAIN[name];
  const { rows } = await sql<Settled>`
    select subject, null as answer, null as answered_at, null as paid_call_id, null as run_id from app.paid_calls
    where ${whenUncertain !== 'repeat'} and state = 'uncertain' and user_id = ${run.userId}
      and provider = ${provider} and operation = ${name} and sandbox = ${run.sandbox} and subject = any(${subjects})
      and (${whenUncertain === 'never'} or run_id = ${run.id})
    union all
    select answer.subject, answer.answer, answer.answered_at, answer.paid_call_id, call.run_id
    from app.answers as answer join app.paid_calls as call on call.id = answer.paid_call_id
    where answer.user_id = ${run.userId} and answer.provider = ${provider} and answer.operation = ${name}
      and answer.sandbox = ${run.sandbox} and answer.subject = any(${subjects})
      and (answer.expires_at is null or answer.expires_at > now())
  `.execute(db);
  const outcomes = new Map<string, Outcome<A>>();
  for (const row of rows) {
    const { subject } = row;
    if (row.paid_call_id === null) {
      // An answer that is there as well settles it.
      if (!outcomes.has(subject)) outcomes.set(subject, { state: 'uncertain', subject });
      continue;
    }
    const answer = operation.readAnswer(row.answer);
    if (answer === undefined) continue;
    const { paid_call_id: callId, answered_at: answeredAt } = row;
    outcomes.set(subject, { state: 'answered', subject, answer, callId, answeredAt, known: row.run_id !== run.id });
  }
  return outcomes;
}

type Settled = { subject: string; run_id: string | null } & (
  | { paid_call_id: null }
  | { paid_call_id: string; answer: unknown; answered_at: Date }
);
