import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** What a place of Google tells, which `sources` names only where something else told it. */
const GOOGLES = ['business_name', 'phone', 'address', 'website'];
/** Values of a file that open data did not tell either. */
const CAME_BACK = '$.* ? (@ starts with "file:" && !(@ starts with "file:open:"))';

/** Whether a lead holds a value of Google's, in a query where public.leads is called `lead`. */
export const HOLDS_GOOGLES: RawBuilder<boolean> = sql`(
  ${sql.join(
    GOOGLES.map(
      (column) => sql`(coalesce(${sql.ref(`lead.${column}`)}, '') <> '' and not lead.sources ? ${column}::text)`,
    ),
    sql` or `,
  )}
  or lead.sources @? ${CAME_BACK}::jsonpath)`;

/** Whether any of the leads holds a value of Google's. */
export async function holdGoogles(db: Db | Tx, which: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from public.leads as lead where ${which} and ${HOLDS_GOOGLES}) as held
  `.execute(db);
  return rows[0]?.held ?? false;
}

/**
 * Lets lists be archived as others are for which leads hold a value of Google's. For a transaction in which that came.
 * Returns which lists were kept until then.
 */
export async function endKeepingFor(tx: Tx, which: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update public.lists set keep = false where keep and id in (
      select lead.list_id from public.leads as lead where ${which} and ${HOLDS_GOOGLES})
    returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}
