import { type RawBuilder, sql } from 'kysely';
import type { ExportCompliance, ExportFilter } from '#contract/work/export-choice.ts';
import type { exportLeadsEndpoint } from '#contract/work/exports.ts';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import type { Input } from '#server/http/route.ts';
import { isChosen, isPresent, VERDICT } from '#server/leads/chosen-leads.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import type { Origin, Releases } from '#server/leads/value-rights.ts';
import { readNotedPart } from './note-export.ts';

/** Leads read at a time: as many as are in memory at once. */
const PAGE = 500;

export type Export = Input<typeof exportLeadsEndpoint>;
type Choice = Export['body'];
/** `extra`: the columns of its file that are none of ours. */
export type ExportedLead = LeadRow & Origin & { position: number; extra: Record<string, string> };
type Stored = StoredLead & Origin & { extra: Record<string, string> };

/** Of a page, the ids of the leads that the file holds. */
export type Keep = (page: readonly ExportedLead[]) => Promise<readonly string[]>;

/** The leads of a list that an export is about, in its order, some at a time. */
export async function* exportedLeads(db: Db, listId: string, choice: Choice): AsyncGenerator<ExportedLead[]> {
  for (let after = -1; ; ) {
    const rows = await readPage(db, pageOf(listId, choice, after));
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.position ?? after;
  }
}

/** The same for a file that leaves: whom it holds is written down under `exportId` in the statement that reads them. `keep`: default all. */
export async function* notedLeads(
  db: Db,
  exportId: string,
  { listId, choice, keep }: { listId: string; choice: Choice; keep?: Keep | undefined },
): AsyncGenerator<ExportedLead[]> {
  for (let after = -1, part = 0; ; part += 1) {
    const page = pageOf(listId, choice, after);
    const looked = keep && (await readPage(db, page));
    const kept = looked && (await keep(looked));
    const held = kept ? sql`select page.* from (${page}) as page where page.id = any(${kept}::uuid[])` : page;
    const rows = (await readNotedPart<Stored>(db, { exportId, part }, held)).map(toExported);
    if (rows.length > 0) yield rows;
    const all = looked ?? rows;
    if (all.length < PAGE) return;
    after = all.at(-1)?.position ?? after;
  }
}

/** Whether values under the ODbL may stand in the file: only if all others that may be kept are under it too. */
export async function mayHoldApart(db: Db, listId: string, choice: Choice, releases: Releases): Promise<boolean> {
  const apart = [...releases].flatMap(([name, rights]) => (rights.apart ? [name] : []));
  if (apart.length === 0) return false;
  const { rows } = await sql<{ mixed: boolean }>`
    select exists (
      select from public.leads as lead, jsonb_each_text(lead.sources) as given
      where ${isExported(listId, choice)} and given.value <> all(${apart})
    ) as mixed
  `.execute(db);
  return rows[0]?.mixed === false;
}

const FILTERS: Record<ExportFilter, RawBuilder<boolean>> = {
  all: sql`true`,
  has_emails: isPresent('email'),
  has_contacts: isPresent('owner'),
  fully_enriched: sql`${isPresent('email')} and ${isPresent('owner')} and lead.email_verified`,
};

const COMPLIANCE: Record<ExportCompliance, RawBuilder<boolean>> = {
  all_leads: sql`true`,
  clean: sql`${VERDICT} = 'safe'`,
};

/** Whether a lead may be called is asked for each part, and not of the whole list before the first line. */
const isExported = (listId: string, choice: Choice) => sql<boolean>`
  ${isChosen(listId, { ...choice, matching: choice.matching && { ...choice.matching, call: undefined } })}
  and ${FILTERS[choice.filter]} and ${COMPLIANCE[choice.compliance]} and not ${IS_SUPPRESSED}`;

const pageOf = (listId: string, choice: Choice, after: number): RawBuilder<unknown> => sql`
  select ${LEAD_COLUMNS}, lead.extra, lead.sources, lead.email_call_id, lead.owner_call_id, lead.contact_keys
  from public.leads as lead
  where ${isExported(listId, choice)} and lead.position > ${after}
  order by lead.position limit ${PAGE}`;

async function readPage(db: Db, page: RawBuilder<unknown>): Promise<ExportedLead[]> {
  const { rows } = await sql<Stored>`${page}`.execute(db);
  return rows.map(toExported);
}

const toExported = ({ extra, sources, email_call_id, owner_call_id, ...row }: Stored): ExportedLead => ({
  ...toLeadRow(row),
  position: row.position,
  extra,
  sources,
  email_call_id,
  owner_call_id,
});
