import { sql } from 'kysely';
import type { LeadSiteVisit } from '#contract/work/site-visit.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Site } from '#server/features/enrichment/sort-leads.ts';
import { addToTotals } from '#server/runs/progress/totals.ts';
import { lockList } from '#server/runs/rows.ts';
import { lockedLeads } from './locked-leads.ts';
import { type KnownSite, UNREAD } from './site-memory.ts';

/** The most that is shown of each kind. The rest stays in the remembered answer. */
const SHOWN = 5;

/**
 * Writes what websites said to their leads, and counts what changed.
 * - Only a lead without an email gets one. It has no confidence, which only Hunter gives.
 * - A notice that a lead keeps stays, with the visit that saw it, while the site cannot be read.
 * - Storing the same again changes and counts nothing.
 */
export async function storeSites(
  tx: Tx,
  run: { id: string; listId: string },
  sites: ReadonlyMap<string, Pick<Site, 'ids'>>,
  known: readonly KnownSite[],
): Promise<void> {
  const list = await lockList(tx, run.listId);
  if (!list) return;
  const rows = known.flatMap((site) => {
    const visit = shownOf(site);
    return (sites.get(site.host)?.ids ?? []).map((id) => ({ id, visit, email: site.answer.email?.email ?? null }));
  });
  if (rows.length === 0) return;
  const { rows: changed } = await sql<{ added: boolean }>`
    update public.leads as lead
    set site_visit = case when ${KEEPS_NOTICE} then lead.site_visit else told.visit end,
      email = coalesce(was.email, told.email),
      email_confidence = case when was.email is null and told.email is not null then null else lead.email_confidence end,
      sources = case when was.email is null and told.email is not null
        then lead.sources || '{"email": "website"}' else lead.sources end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (id uuid, visit jsonb, email text)
      join ${lockedLeads(
        run.listId,
        rows.map(({ id }) => id),
      )} as was on was.id = told.id
    where lead.id = told.id and lead.list_id = ${run.listId} and ((lead.site_visit is distinct from told.visit and not ${KEEPS_NOTICE}) or
      (was.email is null and told.email is not null))
    returning was.email is null and told.email is not null as added
  `.execute(tx);
  const added = changed.filter((row) => row.added).length;
  if (added === 0) return;
  if (!list.has_emails) await tx.updateTable('lists').set({ has_emails: true }).where('id', '=', run.listId).execute();
  await addToTotals(tx, run.id, { leadsUpdated: added, emailsAdded: added });
}

const KEEPS_NOTICE = sql<boolean>`(coalesce(lead.site_visit ? 'notice', false)
  and told.visit ->> 'status' = any(${UNREAD}::text[])
  and coalesce(told.visit -> 'notice' = lead.site_visit -> 'notice', true))`;

function shownOf({ answer, visitedAt }: KnownSite): LeadSiteVisit {
  return {
    ...answer,
    emails: answer.emails.slice(0, SHOWN),
    phones: answer.phones.slice(0, SHOWN),
    profiles: answer.profiles.slice(0, SHOWN),
    at: visitedAt.toISOString(),
  };
}
