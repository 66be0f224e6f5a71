/**
 * What a pull could not take over.
 * - `unread`: numbers and addresses as they stand there. `refused`: addresses that the CRM does not take.
 */
export type LeftOut = { unread: string[]; refused: string[]; inWords(): string | undefined };

/** Examples of each kind, and characters of each. */
const [EXAMPLES, LONGEST] = [5, 60];

export function createLeftOut(name: string): LeftOut {
  const unread: string[] = [];
  const refused: string[] = [];
  return {
    unread,
    refused,
    inWords() {
      const parts = [
        ...(unread.length > 0
          ? [`${unread.length} ${unread.length === 1 ? 'opt-out' : 'opt-outs'} could not be read: ${examples(unread)}.`]
          : []),
        ...(refused.length > 0
          ? [
              `${name} did not accept ${refused.length} ${refused.length === 1 ? 'address' : 'addresses'}: ${examples(refused)}.`,
            ]
          : []),
      ];
      return parts.length > 0 ? parts.join(' ') : undefined;
    },
  };
}

function examples(values: readonly string[]): string {
  const some = values.slice(0, EXAMPLES).map((value) => `“${value.slice(0, LONGEST)}”`);
  return `${some.join(', ')}${values.length > EXAMPLES ? ' and others' : ''}`;
}
