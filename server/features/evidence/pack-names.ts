import { sql } from 'kysely';
import type { PackQuestion } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';

/** The name of the list and the address of the person that a question is about, as they are now; null once they are gone. */
export type PackNames = { list: string | null; person: string | null };

/** Reads those names. */
export async function readNames(db: Db, { listId, userId }: PackQuestion): Promise<PackNames> {
  const { rows } = await sql<PackNames>`
    select (select name from public.lists where id = ${listId ?? null}) as list,
      (select email from app.profiles where user_id = ${userId ?? null}) as person
  `.execute(db);
  return rows[0] ?? { list: null, person: null };
}
