import type { DataOf } from '#contract/endpoint.ts';
import type { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';

type Copied = DataOf<typeof copyLeadsEndpoint>;

/** Says what became of copied leads. `from`: the name of the list that they stay in where the other list differs. */
export function copiedText({ name, copied, skipped, filled, differing }: Copied, from?: string): string {
  const there = `${plural(skipped, 'lead was', 'leads were')} there already`;
  return [
    `${plural(copied, 'lead')} added to “${name}”.`,
    ...(skipped === 0
      ? []
      : [
          filled === 0
            ? `${there}.`
            : `${there}, and ${formatCount(filled)} of them ${filled === 1 ? 'was' : 'were'} filled in.`,
        ]),
    ...(from === undefined || differing === 0
      ? []
      : [
          `${plural(differing, 'lead stays', 'leads stay')} in “${from}”: the other list has something else for ${differing === 1 ? 'it' : 'them'}.`,
        ]),
  ].join(' ');
}
