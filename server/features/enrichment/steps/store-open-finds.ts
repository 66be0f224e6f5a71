import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { lockList } from '#server/runs/rows.ts';
import { addToTotals } from '#server/runs/totals.ts';
import type { OpenEmail } from './find-open-emails.ts';

/**
 * Writes emails of open data to leads that have none, each with its release, and counts them.
 * - When the lead is a place of Google's, the match is kept as both ids and the reason.
 * - Storing the same again changes and counts nothing.
 */
export async function storeOpenEmails(
  tx: Tx,
  run: { id: string; listId: string; userId: string; sandbox: boolean },
  found: readonly OpenEmail[],
): Promise<void> {
  const list = await lockList(tx, run.listId);
  if (!list || found.length === 0) return;
  const rows = JSON.stringify(found.map((one) => ({ ...one, reason: one.reason ?? null })));
  const { rows: changed } = await sql<{ id: string }>`
    update public.leads as lead
    set email = found.email, email_confidence = null,
      sources = lead.sources || jsonb_build_object('email', 'open:' || found."releaseId")
    from jsonb_to_recordset(${rows}::jsonb) as found ("leadId" uuid, email text, "releaseId" integer)
    where lead.id = found."leadId" and lead.list_id = ${run.listId} and lead.email is null
    returning lead.id
  `.execute(tx);
  await sql`
    insert into app.open_matches (user_id, place_id, open_id, reason, sandbox)
    select distinct ${run.userId}::uuid, lead.place_id, found."openId", found.reason, ${run.sandbox}::boolean
    from jsonb_to_recordset(${rows}::jsonb) as found ("leadId" uuid, "openId" text, reason text)
      join public.leads as lead on lead.id = found."leadId" and lead.list_id = ${run.listId}
    where found.reason is not null and lead.place_id is not null
    on conflict (user_id, place_id, open_id) do nothing
  `.execute(tx);
  if (changed.length === 0) return;
  if (!list.has_emails) await tx.updateTable('lists').set({ has_emails: true }).where('id', '=', run.listId).execute();
  await addToTotals(tx, run.id, { leadsUpdated: changed.length, emailsAdded: changed.length });
}
