import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import { formatDate, formatPhone } from '#web/lib/format/format.ts';
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

/** Days in which a request must be honored everywhere (47 CFR 64.1200(d)). */
const BUSINESS_DAYS = 10;

/** The last day to honor a request, as the law counts: weekdays only. Holidays are not left out, which is stricter. */
export function honorBy(addedAt: string): Date {
  const day = new Date(addedAt);
  for (let left = BUSINESS_DAYS; left > 0; ) {
    day.setDate(day.getDate() + 1);
    if (day.getDay() !== 0 && day.getDay() !== 6) left -= 1;
  }
  return day;
}

/** When other tools must follow: "Other tools must follow by Dec 8, 2026"; nothing once that day is over. */
export function clockText(addedAt: string, now: number = Date.now()): string | undefined {
  const day = honorBy(addedAt);
  day.setHours(23, 59, 59, 999);
  return day.getTime() < now ? undefined : `Other tools must follow by ${formatDate(day.toISOString())}`;
}
