import { isOfNoCalls, tellsNoCalls } from '#contract/imports/no-calls.ts';
import type { ReadRow } from '#server/features/imports/values/read-row.ts';
import type { SourceOf } from '#server/leads/origins/told-values.ts';
import { MOST_SOURCES } from '#server/leads/origins/value-rights.ts';
import { uniqueHeaders } from '#server/lib/unique-headers.ts';
import { sourcesOfExtra } from './store-rows.ts';

/** Columns of a lead that a row may fill. A lead always has a name. */
export const FILLED_COLUMNS = ['phone', 'address', 'website', 'email', 'owner_name', 'owner_title'] as const;
type FilledColumn = (typeof FILLED_COLUMNS)[number];

/** What of a lead is asked for before it is filled. */
export type FillableLead = Record<FilledColumn, string | null> & {
  id: string;
  list_id: string;
  sources: Record<string, string>;
  extra: Record<string, string>;
  /** Why it has no verdict. */
  compliance_reason: string | null;
  /** Whether the numbers of its list count as checked. */
  checked: boolean;
};

/**
 * `before` and `after` hold what was filled alone: what taking it back restores, and by what it is known to be unchanged.
 * - `said`: what the lead says against calls, where a row says it as well. It goes once no file says it anymore.
 */
export type Filling = {
  lead: FillableLead;
  before: Partial<Record<FilledColumn | 'compliance_reason', string | null>> & {
    sources?: Record<string, string>;
    checked?: true;
  };
  after: Partial<Record<FilledColumn, string>> & { extra?: Record<string, string>; said?: Record<string, string> };
  /** What the file says of these values, where it was read differently. */
  originals: Partial<Record<FilledColumn, string>>;
};

/** Whether it changes the lead. */
export const isChange = ({ after }: Pick<Filling, 'after'>): boolean =>
  Object.keys(after).some((key) => key !== 'said');

/** Characters of all extra columns of a lead. What would be more stays out. */
const MOST_EXTRA = 10_000;

/** As PostgreSQL writes it: with a space behind each sign between two parts. */
const bytesOf = (sources: Readonly<Record<string, string>>): number =>
  Buffer.byteLength(JSON.stringify(sources)) + 2 * Object.keys(sources).length;

const isOf = (one: string | undefined, other: string | null): boolean =>
  (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();

/** Columns that say that their row must not be called. */
export const againstCalls = (extra: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(extra).filter(([header, said]) => tellsNoCalls(header, said)));

const saysNoCalls = (extra: Readonly<Record<string, string>>): boolean => Object.keys(againstCalls(extra)).length > 0;

/** What a lead has to say too, to be one that must not be called: of a row that says so, in a column that it has not. */
function noCallsFor(lead: FillableLead, extra: Readonly<Record<string, string>>): Record<string, string> {
  const [header] = Object.keys(againstCalls(extra));
  if (header === undefined || saysNoCalls(lead.extra)) return {};
  const [free = header] = uniqueHeaders([isOfNoCalls(header) ? header : 'Do Not Call'], Object.keys(lead.extra));
  return { [free]: 'yes' };
}

/**
 * Fills the empty fields of a lead from a row. `filling` is undefined where there is nothing to fill.
 * - `leftOut`: columns that the lead has no room for. That it must not be called always has.
 */
export function fillEmpty(
  lead: FillableLead,
  { values, extra, originals }: Pick<ReadRow, 'extra' | 'originals'> & { values: Partial<ReadRow['values']> },
  sourceOf: SourceOf,
): { filling: Filling | undefined; leftOut: Record<string, string> } {
  const before: Filling['before'] = {};
  const after: Filling['after'] = {};
  const originalsOfFilled: Filling['originals'] = {};
  const filled = { ...lead, sources: { ...lead.sources }, extra: { ...lead.extra } };
  const sources: Record<string, string> = {};
  for (const column of FILLED_COLUMNS) {
    const value = values[column];
    if (!value || (lead[column] ?? '') !== '') continue;
    // A title belongs to the owner of its own row.
    if (column === 'owner_title' && !isOf(values.owner_name, filled.owner_name)) continue;
    before[column] = lead[column];
    after[column] = value;
    filled[column] = value;
    const original = originals[column];
    if (original !== undefined) originalsOfFilled[column] = original;
    const source = lead.sources[column];
    if (source !== undefined) sources[column] = source;
    filled.sources[column] = sourceOf(value);
  }
  const added = Object.fromEntries(Object.entries(extra).filter(([header]) => !Object.hasOwn(lead.extra, header)));
  const sourcesOfAdded = sourcesOfExtra(added, sourceOf);
  // A value of others does not come without its source.
  const fits =
    JSON.stringify({ ...lead.extra, ...added }).length <= MOST_EXTRA &&
    bytesOf({ ...filled.sources, ...sourcesOfAdded }) <= MOST_SOURCES;
  const leftOut = fits ? {} : added;
  if (Object.keys(added).length > 0 && fits) {
    Object.assign(filled.extra, added);
    Object.assign(filled.sources, sourcesOfAdded);
    after.extra = added;
  }
  const noCalls = noCallsFor(filled, extra);
  if (Object.keys(noCalls).length > 0) {
    Object.assign(filled.extra, noCalls);
    after.extra = { ...after.extra, ...noCalls };
  }
  if (saysNoCalls(extra) && !saysNoCalls(after.extra ?? {})) after.said = againstCalls(lead.extra);
  if (Object.keys(after).length === 0) return { filling: undefined, leftOut };
  if (Object.keys(sources).length > 0) before.sources = sources;
  // A trigger takes it away with the number that comes.
  if (after.phone !== undefined && lead.compliance_reason !== null) {
    before.compliance_reason = lead.compliance_reason;
    filled.compliance_reason = null;
  }
  // A list whose numbers are checked is so no longer with one more.
  if (after.phone !== undefined && lead.checked) {
    before.checked = true;
    filled.checked = false;
  }
  return { filling: { lead: filled, before, after, originals: originalsOfFilled }, leftOut };
}
