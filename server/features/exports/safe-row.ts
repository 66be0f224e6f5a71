import type { LeadRow } from '#contract/work/leads.ts';
import {
  FILE_RIGHTS,
  HUNTER_RIGHTS,
  type Origin,
  type Releases,
  type Rights,
  rightsOf,
  VALUE_COLUMNS,
  type ValueColumn,
} from '#server/leads/value-rights.ts';

/** A lead with only the values that may be kept, and the license of each. */
export type SafeRow = { row: LeadRow; rights: ReadonlyMap<ValueColumn, Rights> };

/**
 * Removes from a lead what its licenses do not let anyone keep. Returns undefined if no name is left.
 * - `withApart`: whether values under the ODbL may stay.
 * - A phone that must not be called is removed too, because its verdict is.
 */
export function toSafeRow(lead: LeadRow & Origin, releases: Releases, withApart: boolean): SafeRow | undefined {
  const rights = new Map<ValueColumn, Rights>();
  const isFlagged = lead.compliance_status === 'dnc' || lead.compliance_status === 'litigator';
  for (const column of VALUE_COLUMNS) {
    if (!lead[column] || (column === 'phone' && isFlagged)) continue;
    const found = rightsOf(lead, column, releases);
    if (found && (withApart || !found.apart)) rights.set(column, found);
  }
  if (!rights.has('business_name')) return undefined;
  const value = (column: ValueColumn) => (rights.has(column) ? (lead[column] ?? null) : null);
  const hasHuntersEmail = rights.has('email') && lead.email_call_id !== null;
  const isChecked = rights.has('email') && lead.email_check_call_id !== null;
  const row: LeadRow = {
    id: lead.id,
    business_name: lead.business_name,
    phone: value('phone'),
    address: value('address'),
    website: value('website'),
    email: value('email'),
    owner_name: value('owner_name'),
    owner_title: value('owner_title'),
    email_confidence: hasHuntersEmail ? lead.email_confidence : null,
    email_verified: hasHuntersEmail || isChecked ? lead.email_verified : null,
    email_status: isChecked ? lead.email_status : null,
    email_checked_at: isChecked ? lead.email_checked_at : null,
  };
  return { row, rights };
}

const HEADERS: Record<ValueColumn, string> = {
  business_name: 'Business Name',
  phone: 'Phone',
  address: 'Address',
  website: 'Website',
  email: 'Email',
  owner_name: 'Owner Name',
  owner_title: 'Title',
};

/** Returns one cell with the origin and license of each value of a row. `hasExtra`: the row also has columns of its file. */
export const licensesOf = ({ row, rights }: SafeRow, hasExtra: boolean): string =>
  [
    ...[...rights].map(([column, right]) => textOf(HEADERS[column], right)),
    ...(row.email_status && rights.get('email') !== HUNTER_RIGHTS ? [textOf('Email Check', HUNTER_RIGHTS)] : []),
    ...(hasExtra ? [textOf('Other columns', FILE_RIGHTS)] : []),
  ].join('; ');

const textOf = (header: string, { source, release, license }: Rights): string =>
  `${header}: ${[source, release].filter(Boolean).join(' ')} (${license})`;
