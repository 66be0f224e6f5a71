import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/**
 * Hands the calls of a list to another that now has leads with their numbers, so that their notes go along. One without an outcome stays:
 * a sheet of the first list may wait for it.
 * - `isWhole`: all leads went along, and may stand in the first list still.
 */
export async function carryCalls(tx: Tx, from: string, to: string, isWhole: boolean): Promise<void> {
  await sql`
    update app.calls as call set list_id = lead.list_id, lead_id = lead.id
    from public.leads as lead
    where call.list_id = ${from}::uuid and call.outcome is not null
      and lead.list_id = ${to}::uuid and lead.contact_keys[1] = 'phone:' || call.phone
      and (${isWhole} or not exists (select from public.leads as left_behind
        where left_behind.list_id = ${from}::uuid and left_behind.contact_keys[1] = 'phone:' || call.phone))
  `.execute(tx);
}
