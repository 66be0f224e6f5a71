import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/**
 * What the database knows that decides whether someone gets in by an address: `app.standing_of`, as JSON.
 * - Role and status are null where no one has a profile.
 * - The CRM's two are null while it has no say.
 */
export type Standing = {
  role: string | null;
  status: string | null;
  /** ISO. */
  crm_connected_at: string | null;
  required_tags: string[] | null;
};

export async function standingOf(db: Db, address: string): Promise<Standing> {
  const { rows } = await sql<{ standing: Standing }>`
    select to_json(app.standing_of(${address})) as standing`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('app.standing_of answers one row.');
  return row.standing;
}
