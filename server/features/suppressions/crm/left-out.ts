/**
 * What a pull could not take over.
 * - `unread`: numbers and addresses as they stand there. `refused`: leads with an address that the CRM does not take, by id.
 * - `missing`: contacts that hold the tag, by id, of which it said nothing more.
 */
export type LeftOut = { unread: string[]; refused: Set<string>; missing: string[] };

export const createLeftOut = (): LeftOut => ({ unread: [], refused: new Set(), missing: [] });

/** Examples that are named, and characters of each. */
export const EXAMPLES = 5;
const LONGEST = 60;

/** What could not be read, or was not told, in words; undefined where everything was. `crm`: what it is called. */
export const leftOutText = (crm: string, { unread, missing }: LeftOut): string | undefined =>
  [unreadText(unread), missingText(crm, missing)].filter(Boolean).join(' ') || undefined;

const unreadText = (unread: readonly string[]): string | undefined =>
  unread.length > 0
    ? `${unread.length} ${unread.length === 1 ? 'opt-out' : 'opt-outs'} could not be read: ${examples(unread, unread.length)}.`
    : undefined;

const missingText = (crm: string, missing: readonly string[]): string | undefined =>
  missing.length > 0
    ? `${crm} did not return ${missing.length} ${missing.length === 1 ? 'contact' : 'contacts'} with the tag: ${examples(missing, missing.length)}.`
    : undefined;

/** The same of addresses that a CRM did not take. `total`: how many there are, of which `some` are named. */
export const refusedText = (crm: string, some: readonly string[], total: number): string | undefined =>
  total > 0
    ? `${crm} did not accept ${total} ${total === 1 ? 'address' : 'addresses'}: ${examples(some, total)}.`
    : undefined;

function examples(values: readonly string[], total: number): string {
  const some = values.slice(0, EXAMPLES).map((value) => `“${value.slice(0, LONGEST)}”`);
  return `${some.join(', ')}${total > EXAMPLES ? ' and others' : ''}`;
}
