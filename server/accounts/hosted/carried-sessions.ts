import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { SessionRow } from '#server/accounts/accounts.ts';

/** Someone's sessions of before the move whose browsers have not come back yet, the last used first. */
export function listCarriedSessions(db: Db, userId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('app.carried_sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at', 'ends_at'])
    .select([sql<string | null>`host(ip)`.as('ip'), sql<boolean>`false`.as('is_current')])
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends one of them, or all. Returns whether there was any. */
export async function endCarriedSessions(tx: Tx, { userId, id }: { userId: string; id?: string }): Promise<boolean> {
  let ended = tx.deleteFrom('app.carried_sessions').where('user_id', '=', userId).returning('id');
  if (id !== undefined) ended = ended.where('id', '=', id);
  return (await ended.execute()).length > 0;
}
