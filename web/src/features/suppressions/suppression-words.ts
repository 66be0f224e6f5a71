import { countedFrom, honorClock } from '#contract/calling/honor-clock.ts';
import type { PastExports, Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import { formatDay, formatPhone, plural } from '#web/lib/format/format.ts';
import type { SelectOption } from '#web/ui/form/select.tsx';

export const KIND_OPTIONS: readonly SelectOption<SuppressionKind>[] = [
  { value: 'phone', label: 'Phone' },
  { value: 'email', label: 'Email' },
  { value: 'domain', label: 'Domain' },
  { value: 'company', label: 'Company' },
  { value: 'business', label: 'Business (place ID)' },
];

export const kindLabel = (kind: SuppressionKind): string =>
  KIND_OPTIONS.find(({ value }) => value === kind)?.label ?? kind;

/** What to type for each kind, and what it means. */
export const KIND_HINTS: Record<SuppressionKind, { example: string; hint: string }> = {
  phone: { example: '(312) 555-0100', hint: 'Any spelling of the number counts, with or without an extension.' },
  email: {
    example: 'name@example.com',
    hint: 'Capitals make no difference. Nor do dots at Gmail and Proton, or tags such as “+news” at Gmail, Outlook, iCloud, Proton and Fastmail.',
  },
  domain: { example: 'example.com', hint: 'Covers every address and website below it.' },
  company: { example: 'Example Roofing LLC', hint: 'Covers every business of this name, whatever its legal form.' },
  business: { example: 'ChIJ…', hint: 'One place, by its Google place ID.' },
};

export const SOURCE_LABELS: Record<Suppression['source'], string> = {
  hand: 'by hand',
  file: 'from a file',
  call: 'after a call',
  crm: 'from Keap',
  public: 'by the person',
};

export const valueText = ({ kind, value }: Pick<Suppression, 'kind' | 'value'>): string =>
  kind === 'phone' ? formatPhone(value) : value;

type Named = Pick<Suppression, 'kind' | 'value'>;

/** That an entry comes back by itself; nothing where it does not. Tags are read once an hour, addresses asked about once a week. */
export const comesBackText = ({ source }: Pick<Suppression, 'source'>): string =>
  source === 'crm'
    ? 'It came from Keap, and comes back with a later pull as long as Keap has its tag or opt-out. Change it in Keap first.'
    : '';

/** What is true of a contact once its entry is gone. `heldBy`: entries that still hold leads of it back. */
export function removedText(item: Named & Pick<Suppression, 'source'>, heldBy: readonly Named[]): string {
  const others = heldBy.map((one) => `${kindLabel(one.kind)}: ${valueText(one)}`).join(', ');
  const now = others
    ? `Leads with ${valueText(item)} are still held back by other entries: ${others}.`
    : `${valueText(item)} may be contacted again, as far as the law allows.`;
  return [now, comesBackText(item)].filter(Boolean).join(' ');
}

/** That files which held the contact are to be stopped, and the last day by law; nothing where none did. `now`: in ms. */
export function clockText(
  entry: Pick<Suppression, 'addedAt' | 'askedAt' | 'exports'>,
  now: number = Date.now(),
): { text: string; tone: 'neutral' | 'warning' | 'danger' } | undefined {
  const { exports } = entry;
  if (exports.total === 0) return undefined;
  const clock = honorClock(countedFrom(entry), now);
  const these = exports.total === 1 ? 'this export' : 'these exports';
  if (clock.state === 'over')
    return { text: `The last day by law to stop contact from ${these} was ${formatDay(clock.by)}.`, tone: 'danger' };
  const stop = `Stop contact from ${these} at once. The last day by law is`;
  if (clock.left === 0) return { text: `${stop} today.`, tone: 'danger' };
  return {
    text: `${stop} ${formatDay(clock.by)}, in ${plural(clock.left, 'business day')}.`,
    tone: clock.left <= WARNED_DAYS ? 'warning' : 'neutral',
  };
}
const WARNED_DAYS = 3;

/** Who has files that held the contact, and should be told. Accounts that are gone cannot be. */
export const ownersText = ({ newest }: PastExports): string => {
  const owners = [...new Set(newest.flatMap(({ by }) => by ?? []))];
  return owners.length > 0 ? `Tell ${owners.join(', ')}.` : 'Those who exported them have no account here anymore.';
};
