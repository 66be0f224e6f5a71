import type { Db } from '#db/connection/client.ts';

/** Which of these leads have no email. */
export async function stillWithout(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('leads').select('id').where('id', 'in', ids).where('email', 'is', null).execute();
  return new Set(rows.map(({ id }) => id));
}
