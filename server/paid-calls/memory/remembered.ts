import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Operation } from '#server/paid-calls/operation.ts';
import type { Memory } from './count-known.ts';

/** Reads what is remembered, by subject. Reading changes nothing and books nothing. */
export async function remembered<A>(
  db: Db | Tx,
  { userId, sandbox }: Memory,
  { provider, name, readAnswer }: Operation<A>,
  subjects: readonly string[],
): Promise<Map<string, A>> {
  const { rows } = await sql<{ subject: string; answer: unknown }>`
    ${KEPT} select subject, answer from app.answers
    where user_id = ${userId} and provider = ${provider} and operation = ${name} and sandbox = ${sandbox}
      and subject = any(${subjects}) and (expires_at is null or expires_at > now())
  `.execute(db);
  const answers = new Map<string, A>();
  for (const { subject, answer } of rows) {
    const read = readAnswer(answer);
    if (read !== undefined) answers.set(subject, read);
  }
  return answers;
}
