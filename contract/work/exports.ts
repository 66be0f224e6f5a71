import { toCsv } from '#contract/csv.ts';
import { SHOWN_COMPLIANCE_STATUS } from './compliance.ts';
import type { Lead } from './leads.ts';
import type { LeadList } from './lists.ts';

export const EXPORT_FILTERS = ['all', 'has_emails', 'has_contacts', 'fully_enriched'] as const;
export type ExportFilter = (typeof EXPORT_FILTERS)[number];
export const EXPORT_COMPLIANCE = ['all_leads', 'clean'] as const;
export type ExportCompliance = (typeof EXPORT_COMPLIANCE)[number];

/** Clean numbers only when the list was checked, all leads otherwise. */
export const defaultExportCompliance = (list: Pick<LeadList, 'complianceChecked'>): ExportCompliance =>
  list.complianceChecked ? 'clean' : 'all_leads';

const FILTERS: Record<ExportFilter, (lead: Lead) => boolean> = {
  all: () => true,
  has_emails: (lead) => lead.email !== '',
  has_contacts: (lead) => lead.ownerName !== '',
  fully_enriched: (lead) => lead.email !== '' && lead.ownerName !== '' && lead.emailVerified === true,
};

/** The leads that an export with these choices holds, in their order. */
export const selectForExport = (leads: readonly Lead[], filter: ExportFilter, compliance: ExportCompliance): Lead[] =>
  leads.filter((lead) => FILTERS[filter](lead) && (compliance === 'all_leads' || lead.complianceStatus === 'safe'));

type TierFlags = Pick<LeadList, 'tier2Complete' | 'tier3Complete' | 'tier4Complete' | 'complianceChecked'>;
export type VisibleTiers = { emails: boolean; contacts: boolean; verification: boolean; compliance: boolean };

/** Columns of a tier appear once it is complete or data for it exists. */
export function visibleTiers(list: TierFlags, leads: readonly Lead[]): VisibleTiers {
  return {
    emails: list.tier2Complete || leads.some((lead) => lead.email !== ''),
    contacts: list.tier3Complete || leads.some((lead) => lead.ownerName !== '' || lead.ownerTitle !== ''),
    verification: list.tier4Complete || leads.some((lead) => lead.emailVerified !== undefined || lead.phoneType !== ''),
    compliance: list.complianceChecked || leads.some((lead) => lead.complianceStatus !== 'not_checked'),
  };
}

type Column = { header: string; cell: (lead: Lead) => string };

function columnsOf(tiers: VisibleTiers, sandbox: boolean): Column[] {
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
  if (sandbox) columns.push({ header: 'Sandbox Data', cell: () => 'Yes' });
  return columns;
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'Yes' : 'No';
}

/** The CSV of `leads`; which columns it has is decided by the whole list, so that a selection keeps its columns. */
export function leadsToCsv(list: TierFlags & Pick<LeadList, 'sandbox'>, all: readonly Lead[], leads: readonly Lead[]) {
  const columns = columnsOf(visibleTiers(list, all), list.sandbox);
  return toCsv([
    columns.map((column) => column.header),
    ...leads.map((lead) => columns.map((column) => column.cell(lead))),
  ]);
}

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
