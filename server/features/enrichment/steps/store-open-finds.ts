import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { noteArriving } from '#server/leads/origins/note-told.ts';
import { addToTotals } from '#server/runs/progress/totals.ts';
import { lockList } from '#server/runs/rows.ts';
import type { OpenEmail, OpenSite } from './find-open-emails.ts';
import { lockedLeads } from './locked-leads.ts';

/**
 * Writes emails and websites of open data to leads that have none, each with its release, and counts them.
 * - When the lead is a place of Google's, the match is kept as both ids and the reason.
 * - Storing the same again changes and counts nothing.
 */
export async function storeOpenFinds(
  tx: Tx,
  run: { id: string; listId: string; userId: string; sandbox: boolean },
  found: readonly (OpenEmail | OpenSite)[],
): Promise<void> {
  const list = await lockList(tx, run.listId);
  if (!list || found.length === 0) return;
  const rows = JSON.stringify(found.map((one) => ({ ...one, reason: one.reason ?? null })));
  const { rows: changed } = await sql<{
    added: boolean;
    email: string | null;
    website: string | null;
    sources: unknown;
  }>`
    update public.leads as lead
    set email = coalesce(lead.email, found.email), website = case when ${needsWebsite} then found.website else lead.website end,
      email_confidence = case when ${needsEmail} then null else lead.email_confidence end,
      sources = lead.sources || jsonb_strip_nulls(jsonb_build_object(
        'email', case when ${needsEmail} then 'open:' || found."releaseId" end,
        'website', case when ${needsWebsite} then 'open:' || found."releaseId" end))
    from jsonb_to_recordset(${rows}::jsonb) as found ("leadId" uuid, email text, website text, "releaseId" integer)
      join ${lockedLeads(
        run.listId,
        found.map(({ leadId }) => leadId),
      )} as was on was.id = found."leadId"
    where lead.id = found."leadId" and lead.list_id = ${run.listId} and (${needsEmail} or ${needsWebsite})
    returning was.email is null and found.email is not null as added, lead.email, lead.website, lead.sources
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
  await noteArriving(tx, run.userId, changed);
  const emailsAdded = changed.filter(({ added }) => added).length;
  if (emailsAdded > 0 && !list.has_emails)
    await tx.updateTable('lists').set({ has_emails: true }).where('id', '=', run.listId).execute();
  await addToTotals(tx, run.id, { leadsUpdated: changed.length, emailsAdded });
}

const needsEmail = sql<boolean>`(lead.email is null and found.email is not null)`;
const needsWebsite = sql<boolean>`(coalesce(btrim(lead.website), '') = '' and found.website is not null)`;
