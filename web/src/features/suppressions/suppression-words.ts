import { honorClock } from '#contract/calling/honor-clock.ts';
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
    hint: 'Capitals, tags such as “+news” and the dots of Gmail make no difference.',
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

/** How long files that held the contact may still be in use; nothing where none did. `now`: in ms. */
export function clockText(
  { addedAt, exports }: Pick<Suppression, 'addedAt' | 'exports'>,
  now: number = Date.now(),
): { text: string; tone: 'neutral' | 'warning' | 'danger' } | undefined {
  if (exports.total === 0) return undefined;
  const clock = honorClock(addedAt, now);
  const these = exports.total === 1 ? 'this export' : 'these exports';
  if (clock.state === 'over')
    return { text: `The time to stop using ${these} ended on ${formatDay(clock.by)}`, tone: 'danger' };
  if (clock.left === 0) return { text: `Today is the last day to stop contact from ${these}`, tone: 'danger' };
  return {
    text: `${plural(clock.left, 'business day')} left to stop contact from ${these}, until ${formatDay(clock.by)}`,
    tone: clock.left <= WARNED_DAYS ? 'warning' : 'neutral',
  };
}
const WARNED_DAYS = 3;

/** Who has files that held the contact, and should be told. Accounts that are gone cannot be. */
export const ownersText = ({ newest }: PastExports): string => {
  const owners = [...new Set(newest.flatMap(({ by }) => by ?? []))];
  return owners.length > 0 ? `Tell ${owners.join(', ')}.` : 'Those who exported them have no account here any more.';
};
