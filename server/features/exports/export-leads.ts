import { type RawBuilder, sql } from 'kysely';
import { csvHead, csvRows } from '#contract/csv.ts';
import type { ExportCompliance, ExportFilter } from '#contract/work/export-choice.ts';
import { CALL_COLUMNS, type CallTimes, exportColumns, type exportLeadsEndpoint } from '#contract/work/exports.ts';
import { readLead } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import type { Input } from '#server/http/route.ts';
import { isChosen, isPresent, type SettledChoice, VERDICT } from '#server/leads/chosen-leads.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { ownList } from '#server/runs/rows.ts';
import { asksForCalls, createCallPart } from './call-part.ts';
import { readExtraHeaders } from './extra-headers.ts';
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
  const callsOf = asksForCalls(body) ? await createCallPart(db, body) : undefined;
  const callColumns = body.call_times || body.call_within !== undefined ? CALL_COLUMNS : [];
  // Whether a lead may be called is asked for each part, and not of the whole list before the first line.
  const choice: Choice = { ...body, matching: body.matching && { ...body.matching, call: undefined } };
  const exportId = await beginExport(db, { userId: user.userId, list, fileName: body.file_name });
  const extra = await readExtraHeaders(db, list.id);
  yield csvHead([...[...columns, ...callColumns].map(({ header }) => header), ...extra]);
  for (let after = -1, part = 0; ; part += 1) {
    const { leads, next } = await readPart(db, { exportId, part }, { listId: list.id, choice, after, callsOf });
    const lines = leads.map(({ row, call }) => {
      const lead = readLead(toLeadRow(row));
      return [
        ...columns.map(({ cell }) => cell(lead)),
        ...(call ? callColumns.map(({ cell }) => cell(call)) : []),
        ...extra.map((header) => row.extra[header] ?? ''),
      ];
    });
    if (lines.length > 0) yield csvRows(lines);
    if (next === undefined) return;
    after = next;
  }
}

/** A lead, and the columns of its file that are none of ours. */
type ExportedRow = StoredLead & { extra: Record<string, string> };
type Choice = SettledChoice & Pick<Export['body'], 'filter' | 'compliance'>;
type Calls = (ids: readonly string[]) => Promise<ReadonlyMap<string, CallTimes>>;
type Page = { listId: string; choice: Choice; after: number };
/** `next`: behind which position the next part begins; undefined on the last. */
type Part = { leads: { row: ExportedRow; call: CallTimes | undefined }[]; next: number | undefined };

/** The leads of one part that the export holds, which are written down with it. */
async function readPart(
  db: Db,
  noted: { exportId: string; part: number },
  { callsOf, ...page }: Page & { callsOf: Calls | undefined },
): Promise<Part> {
  if (!callsOf) {
    const rows = await readNotedPart<ExportedRow>(db, noted, pageOf(page));
    return { leads: rows.map((row) => ({ row, call: undefined })), next: nextOf(rows) };
  }
  const { rows: looked } = await sql<{ id: string; position: number }>`
    select page.id, page.position from (${pageOf(page)}) as page order by page.position
  `.execute(db);
  const calls = await callsOf(looked.map(({ id }) => id));
  const held = sql`
    select ${LEAD_COLUMNS}, lead.extra, lead.contact_keys from public.leads as lead
    where lead.id = any(${[...calls.keys()]}::uuid[]) and not ${IS_SUPPRESSED}`;
  const rows = await readNotedPart<ExportedRow>(db, noted, held);
  return { leads: rows.map((row) => ({ row, call: calls.get(row.id) })), next: nextOf(looked) };
}

const nextOf = (rows: readonly { position: number }[]): number | undefined =>
  rows.length < PAGE ? undefined : rows.at(-1)?.position;

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

const pageOf = ({ listId, choice, after }: Page): RawBuilder<unknown> => sql`
  select ${LEAD_COLUMNS}, lead.extra, lead.contact_keys from public.leads as lead
  where ${isChosen(listId, choice)} and ${FILTERS[choice.filter]} and ${COMPLIANCE[choice.compliance]}
    and not ${IS_SUPPRESSED}
    and lead.position > ${after}
  order by lead.position limit ${PAGE}`;
