import { z } from 'zod/mini';
import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { SHOWN_COMPLIANCE_STATUS } from '#contract/work/compliance.ts';
import { EMAIL_STATUS_LABEL } from '#contract/work/email-status.ts';
import { CHOICE_FIELDS } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { LeadList } from '#contract/work/lists.ts';
import {
  callWithin,
  EXPORT_COMPLIANCE,
  EXPORT_FILTERS,
  EXPORT_RIGHTS,
  type ExportCompliance,
} from './export-choice.ts';
import { type TierCounts, type TierFlags, type VisibleTiers, visibleTiers } from './visible-tiers.ts';

type Verdicts = Pick<LeadCounts, 'safe' | 'flagged' | 'expired'>;

/** Whether any number of a list was ever checked. The list itself forgets that with the first one that comes unchecked. */
export const wasChecked = (list: Pick<LeadList, 'complianceChecked'>, counts: Verdicts): boolean =>
  list.complianceChecked || counts.safe + counts.flagged + counts.expired > 0;

/** Clean numbers only when the list was checked, all leads otherwise. */
export const defaultExportCompliance = (...of: Parameters<typeof wasChecked>): ExportCompliance =>
  wasChecked(...of) ? 'clean' : 'all_leads';

/** `emailChecks`: those whose email was verified by itself. */
type ExportCounts = TierCounts & { emailChecks: number };

type Column = { header: string; cell: (lead: Lead) => string };

function columnsOf(tiers: VisibleTiers, emailChecks: boolean, sandbox: boolean): Column[] {
  const columns: Column[] = [
    { header: 'Business Name', cell: (lead) => lead.businessName },
    { header: 'Phone', cell: (lead) => lead.phone },
    { header: 'Address', cell: (lead) => lead.address },
    { header: 'Website', cell: (lead) => lead.website },
  ];
  if (tiers.emails)
    columns.push(
      { header: 'Email', cell: (lead) => lead.email },
      { header: 'Email Confidence', cell: (lead) => lead.emailConfidence?.toString() ?? '' },
    );
  if (tiers.contacts)
    columns.push(
      { header: 'Owner Name', cell: (lead) => lead.ownerName },
      { header: 'Title', cell: (lead) => lead.ownerTitle },
    );
  if (tiers.verification)
    columns.push(
      { header: 'Email Verified', cell: (lead) => yesOrNo(lead.emailVerified) },
      { header: 'Phone Type', cell: (lead) => lead.phoneType },
    );
  if (tiers.compliance)
    columns.push({ header: 'Compliance Status', cell: (lead) => SHOWN_COMPLIANCE_STATUS[lead.complianceStatus] });
  if (emailChecks)
    columns.push(
      { header: 'Email Check', cell: ({ emailStatus }) => (emailStatus ? EMAIL_STATUS_LABEL[emailStatus] : '') },
      { header: 'Email Checked On', cell: ({ emailCheckedAt }) => emailCheckedAt?.slice(0, 10) ?? '' },
    );
  if (sandbox) columns.push({ header: 'Sandbox Data', cell: () => 'Yes' });
  return columns;
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'Yes' : 'No';
}

/** The columns of an export. What the whole list has decides, so that a part of it keeps its columns. */
export const exportColumns = (list: TierFlags & Pick<LeadList, 'sandbox'>, counts: ExportCounts): Column[] =>
  columnsOf(visibleTiers(list, counts), counts.emailChecks > 0, list.sandbox);

/** What an export says of a call to a lead. Times as clocks show them there, with their offset; days as 2026-11-25; empty where nothing is known. */
export type CallTimes = {
  status: CallVerdict;
  from: string;
  to: string;
  timeZone: string;
  checkedOn: string;
  expiresOn: string;
  rule: string;
};

/** The columns that an export has besides, for programs that dial. */
export const CALL_COLUMNS: readonly { header: string; cell: (call: CallTimes) => string }[] = [
  { header: 'call_status', cell: ({ status }) => status },
  { header: 'call_from', cell: ({ from }) => from },
  { header: 'call_to', cell: ({ to }) => to },
  { header: 'time_zone', cell: ({ timeZone }) => timeZone },
  { header: 'checked_on', cell: ({ checkedOn }) => checkedOn },
  { header: 'expires_on', cell: ({ expiresOn }) => expiresOn },
  { header: 'rule', cell: ({ rule }) => rule },
];

/** The columns of a file with nothing but what may be kept: verdicts stay behind, and each row says where its values come from. */
export const safeColumns = (list: TierFlags & Pick<LeadList, 'sandbox'>, counts: ExportCounts): Column[] =>
  columnsOf({ ...visibleTiers(list, counts), compliance: false }, counts.emailChecks > 0, list.sandbox).filter(
    ({ header }) => header !== 'Phone Type',
  );

/** The last column of such a file. */
export const LICENSES_HEADER = 'Sources and Licenses';

const EXPORT_FIELDS = {
  ...CHOICE_FIELDS,
  filter: z.enum(EXPORT_FILTERS),
  compliance: z.enum(EXPORT_COMPLIANCE),
  rights: z._default(z.enum(EXPORT_RIGHTS), 'all'),
  file_name: z.optional(z.string().check(z.maxLength(300, 'A file name has at most 300 characters.'))),
  call_within: callWithin,
  call_times: z.optional(z.boolean()),
};

/**
 * The leads of a list that are meant and that all choices let through, as a CSV file.
 * - `file_name`: under which name it is saved, for the record of past exports.
 * - `call_within`: only leads that may be called at some moment within so many hours. `call_times`: with the columns of calls.
 */
export const exportLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/export',
  growsWith: 'list',
  query: z.object({ listId: looseId }),
  body: z.object(EXPORT_FIELDS),
  data: z.string(),
});

/**
 * Whom to name beside that file: one line for each source, and what was left out of an export-safe file. Plain text.
 * Beside a file with all values it names open data alone, and is empty where there is none.
 */
export const exportAttributionEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/export/attribution',
  growsWith: 'list',
  query: z.object({ listId: looseId }),
  body: z.object(EXPORT_FIELDS),
  data: z.string(),
});

/**
 * What an export-safe file would hold.
 * - `leftOut`: leads that would not be in it at all. `valuesLeftOut`: values of the others.
 * - `apartLeftOut`: of all values that are left out, those under the ODbL that cannot stand beside values of other sources.
 */
const ExportPreview = z.object({
  leads: z.number(),
  leftOut: z.number(),
  valuesLeftOut: z.number(),
  apartLeftOut: z._default(z.number(), 0),
});
export type ExportPreview = z.infer<typeof ExportPreview>;

/** The same of a choice, before the file is made. */
export const previewExportEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/export/preview',
  growsWith: 'list',
  reads: true,
  query: z.object({ listId: looseId }),
  body: z.object(EXPORT_FIELDS),
  data: ExportPreview,
});

/** File name of an export: list name, ' - ', local date, '.csv'. Characters that file systems refuse become '-'. */
export function exportFileName(listName: string, date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const safe = listName
    .replace(/[\p{Cc}<>:"/\\|?*]/gu, '-')
    .trim()
    .slice(0, 200)
    // Half of a character that takes two units.
    .replace(/[\ud800-\udbff]$/, '');
  return `${safe || 'list'} - ${day}.csv`;
}
