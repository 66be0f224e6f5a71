import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** How many leads, of anyone, carry one of these keys. */
export async function countHeldLeads(db: Db | Tx, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads from public.leads where contact_keys && ${keys}::text[]
  `.execute(db);
  return rows[0]?.leads ?? 0;
}

/** Tells open pages that these leads have changed: they read again what holds them back. */
export async function tellHeldLeads(db: Db | Tx, keys: readonly string[]): Promise<void> {
  await sql`update public.leads set place_id = place_id where contact_keys && ${keys}::text[]`.execute(db);
}
