/**
 * What a pull could not take over.
 * - `unread`: numbers and addresses as they stand there. `refused`: leads with an address that the CRM does not take, by id.
 */
export type LeftOut = { unread: string[]; refused: Set<string> };

export const createLeftOut = (): LeftOut => ({ unread: [], refused: new Set() });

/** Examples that are named, and characters of each. */
export const EXAMPLES = 5;
const LONGEST = 60;

/** What could not be read, in words; undefined where everything was. */
export const unreadText = (unread: readonly string[]): string | undefined =>
  unread.length > 0
    ? `${unread.length} ${unread.length === 1 ? 'opt-out' : 'opt-outs'} could not be read: ${examples(unread, unread.length)}.`
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
