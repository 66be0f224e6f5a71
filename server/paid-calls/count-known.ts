import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { Operation } from './operation.ts';

/** How many of the subjects are remembered, so that they will cost nothing. */
export async function countKnown(
  db: Db | Tx,
  of: { userId: string; sandbox: boolean },
  operation: Operation<unknown>,
  subjects: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::integer as known from app.answers
    where user_id = ${of.userId} and provider = ${operation.provider} and operation = ${operation.name}
      and sandbox = ${of.sandbox} and subject = any(${subjects}) and (expires_at is null or expires_at > now())
  `.execute(db);
  return rows[0]?.known ?? 0;
}
