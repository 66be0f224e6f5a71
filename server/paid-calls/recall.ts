import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { Operation, Outcome, PayContext } from './operation.ts';

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
  const outcomes = new Map<string, Outcome<A>>();
  const { provider, name } = operation;
  const { rows: uncertain } = await sql<{ subject: string }>`
    select distinct subject from app.paid_calls
    where ${operation.whenUncertain !== 'repeat'} and state = 'uncertain' and user_id = ${run.userId}
      and provider = ${provider} and operation = ${name} and sandbox = ${run.sandbox} and subject = any(${subjects})
      and (${operation.whenUncertain === 'never'} or run_id = ${run.id})
  `.execute(db);
  for (const { subject } of uncertain) outcomes.set(subject, { state: 'uncertain', subject });

  const { rows } = await sql<StoredAnswer>`
    select answer.subject, answer.answer, answer.answered_at, answer.paid_call_id, call.run_id
    from app.answers as answer join app.paid_calls as call on call.id = answer.paid_call_id
    where answer.user_id = ${run.userId} and answer.provider = ${provider} and answer.operation = ${name}
      and answer.sandbox = ${run.sandbox} and answer.subject = any(${subjects})
      and (answer.expires_at is null or answer.expires_at > now())
  `.execute(db);
  for (const row of rows) {
    const answer = operation.readAnswer(row.answer);
    if (answer === undefined) continue;
    outcomes.set(row.subject, {
      state: 'answered',
      subject: row.subject,
      answer,
      callId: row.paid_call_id,
      answeredAt: row.answered_at,
      known: row.run_id !== run.id,
    });
  }
  return outcomes;
}

type StoredAnswer = {
  subject: string;
  answer: unknown;
  answered_at: Date;
  paid_call_id: string;
  run_id: string | null;
};
