import type { LeadRow } from '#contract/work/leads.ts';
import {
  HUNTER_RIGHTS,
  type Origin,
  type Releases,
  type Rights,
  rightsOf,
  rightsOfExtra,
  VALUE_COLUMNS,
  type ValueColumn,
} from '#server/leads/origins/value-rights.ts';

/**
 * A lead with only the values that may be kept.
 * - `extra`: what is left of the columns of its file.
 * - `cells`: of each of its values, in which column it stands and under what it is kept.
 * - `leftOut`: values of the lead that are not in it.
 */
export type SafeRow = {
  row: LeadRow;
  extra: Readonly<Record<string, string>>;
  cells: readonly SafeCell[];
  leftOut: number;
};
type SafeCell = { header: string; rights: Rights };

/**
 * What exports are taken out by.
 * - `withApart`: whether the file holds values under the ODbL, and then no others: a run may add some while it is written.
 * - `ours`: whether a column of people's files is one of ours, and says what others found out.
 */
export type SafeTerms = { releases: Releases; withApart: boolean; ours(header: string): boolean };

/**
 * Removes from a lead what its licenses do not let anyone keep. Returns undefined if no name is left.
 * - A phone that must not be called is removed too, because its verdict is.
 */
export function toSafeRow(
  lead: LeadRow & Origin & { extra: Readonly<Record<string, string>> },
  { releases, withApart, ours }: SafeTerms,
): SafeRow | undefined {
  const kept = (rights: Rights | undefined) => (rights?.apart === withApart && !rights.restricted ? rights : undefined);
  const rights = new Map<ValueColumn, Rights>();
  let leftOut = 0;
  const isFlagged = lead.compliance_status === 'dnc' || lead.compliance_status === 'litigator';
  for (const column of VALUE_COLUMNS) {
    if (!lead[column]) continue;
    const found = column === 'phone' && isFlagged ? undefined : kept(rightsOf(lead, column, releases));
    if (found) rights.set(column, found);
    else leftOut += 1;
  }
  if (!rights.has('business_name')) return undefined;
  const cells = [...rights].map(([column, right]): SafeCell => ({ header: HEADERS[column], rights: right }));
  const isChecked = !withApart && rights.has('email') && lead.email_check_call_id !== null;
  const hasHuntersEmail = !withApart && rights.has('email') && lead.email_call_id !== null;
  if (rights.get('email') !== HUNTER_RIGHTS) {
    if (hasHuntersEmail && lead.email_confidence !== null)
      cells.push({ header: 'Email Confidence', rights: HUNTER_RIGHTS });
    if (isChecked && lead.email_status) cells.push({ header: 'Email Check', rights: HUNTER_RIGHTS });
  }
  const extra: Record<string, string> = {};
  for (const [header, value] of Object.entries(lead.extra)) {
    const found = ours(header) ? undefined : kept(rightsOfExtra(lead, header, releases));
    if (!found) leftOut += 1;
    else {
      extra[header] = value;
      if (!cells.some((cell) => cell.header === OTHERS && cell.rights === found))
        cells.push({ header: OTHERS, rights: found });
    }
  }
  const value = (column: ValueColumn) => (rights.has(column) ? (lead[column] ?? null) : null);
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
  return { row, extra, cells, leftOut };
}

const OTHERS = 'Other columns';
const HEADERS: Record<ValueColumn, string> = {
  business_name: 'Business Name',
  phone: 'Phone',
  address: 'Address',
  website: 'Website',
  email: 'Email',
  owner_name: 'Owner Name',
  owner_title: 'Title',
};

/** For each value of a row, where it came from and its license, in one cell. */
export const licensesOf = ({ cells }: SafeRow): string =>
  cells
    .map(
      ({ header, rights: { source, release, license } }) =>
        `${header}: ${[source, release].filter(Boolean).join(' ')} (${license})`,
    )
    .join('; ');
