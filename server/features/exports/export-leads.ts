import { type RawBuilder, sql } from 'kysely';
import { csvHead, csvRows } from '#contract/csv.ts';
import type { ExportCompliance, ExportFilter } from '#contract/work/export-choice.ts';
import { exportColumns, type exportLeadsEndpoint } from '#contract/work/exports.ts';
import { readLead } from '#contract/work/leads.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import type { Input } from '#server/http/route.ts';
import { isChosen, isPresent, VERDICT } from '#server/leads/chosen-leads.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { ownList } from '#server/runs/rows.ts';
import { beginExport, readNotedPart } from './note-export.ts';

/** Leads read at a time: as many as are in memory at once. */
const PAGE = 500;

type Export = Input<typeof exportLeadsEndpoint>;

/** Leads of one of the caller's lists as a CSV file, in the order in which they were found. @throws NOT_FOUND. */
export const exportLeads = (ctx: Ctx, input: Export): Download => ({
  fileName: 'leads.csv',
  type: 'text/csv; charset=utf-8',
  parts: partsOf(ctx, input),
});

async function* partsOf({ deps: { db }, user }: Ctx, { query, body }: Export): AsyncGenerator<string> {
  const list = await ownList(db, user.userId, query.listId);
  const columns = exportColumns(
    {
      tier2Complete: list.tier2_complete,
      tier3Complete: list.tier3_complete,
      tier4Complete: list.tier4_complete,
      complianceChecked: list.compliance_checked,
      sandbox: list.sandbox ?? false,
    },
    await readLeadCounts(db, list.id, {}),
  );
  const exportId = await beginExport(db, { userId: user.userId, list, fileName: body.file_name });
  yield csvHead(columns.map(({ header }) => header));
  for (let after = -1, part = 0; ; part += 1) {
    const rows = await readNotedPart<StoredLead>(db, { exportId, part }, pageOf(list.id, body, after));
    const leads = rows.map((row) => readLead(toLeadRow(row)));
    if (leads.length > 0) yield csvRows(leads.map((lead) => columns.map(({ cell }) => cell(lead))));
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.position ?? after;
  }
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

const pageOf = (listId: string, choice: Export['body'], after: number): RawBuilder<unknown> => sql`
  select ${LEAD_COLUMNS}, lead.contact_keys from public.leads as lead
  where ${isChosen(listId, choice)} and ${FILTERS[choice.filter]} and ${COMPLIANCE[choice.compliance]}
    and not ${IS_SUPPRESSED}
    and lead.position > ${after}
  order by lead.position limit ${PAGE}`;
