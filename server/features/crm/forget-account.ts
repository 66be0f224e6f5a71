import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/**
 * Forgets what was found out in the account of before: whose status it gave, how far a pull had come, and the tag whose id means another
 * there. Required tags stay, because they decide who may sign in.
 */
export async function forgetAccount(tx: Tx): Promise<void> {
  await sql`delete from app.crm_asked`.execute(tx);
  await sql`
    update app.crm_pull set lease_owner = null, lease_expires_at = null, asked_at = null, started_at = null, ended_at = null,
      complete_at = null, failure = null, left_out = null, contacts = 0, addresses = 0, added = 0, lead_cursor = null
  `.execute(tx);
  await sql`
    update app.suppression_settings set crm_tag_before = coalesce(crm_tag_name, crm_tag_before), crm_tag_id = null, crm_tag_name = null
  `.execute(tx);
}
