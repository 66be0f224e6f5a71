import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/** Says of a list again how many leads it has and what they have, after some came or went. */
export async function recountList(tx: Tx, listId: string): Promise<void> {
  await sql`
    update public.lists set lead_count = counted.leads, has_emails = counted.emails, has_contacts = counted.contacts
    from (
      select count(*)::integer as leads, coalesce(bool_or(email is not null), false) as emails,
        coalesce(bool_or(owner_name is not null), false) as contacts
      from public.leads where list_id = ${listId}
    ) as counted
    where id = ${listId}
  `.execute(tx);
}
