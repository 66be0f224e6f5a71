import { onDemand } from './on-demand.ts';

const MICROS_PER_DOLLAR = 1_000_000;
const LOCALE = 'en-US';

const money = onDemand(() => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' }));
const rate = onDemand(
  () => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 3 }),
);
const exact = onDemand(
  () => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 }),
);
const counts = onDemand(() => new Intl.NumberFormat(LOCALE));
const dates = onDemand(() => new Intl.DateTimeFormat(LOCALE, { year: 'numeric', month: 'short', day: 'numeric' }));
const times = onDemand(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' }));
const moments = onDemand(
  () => new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
);
const clock = onDemand(() => new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' }));
const relative = onDemand(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }));

/** Micro-dollars as a price with two decimals: 1_020_000 → $1.02. */
export const formatMoney = (micros: number): string => money().format(micros / MICROS_PER_DOLLAR);

/** Micro-dollars to the last one, with two decimals at least: 137_000 → $0.137. What may be charged is shown as it is sent. */
export const formatExact = (micros: number): string => exact().format(micros / MICROS_PER_DOLLAR);

/** Micro-dollars for one unit, with up to three decimals: 17_000 → $0.017. */
export const formatRate = (micros: number): string => rate().format(micros / MICROS_PER_DOLLAR);

/** 12345 → 12,345. */
export const formatCount = (count: number): string => counts().format(count);

/** A count with its noun: plural(1, 'lead') → 1 lead, plural(1200, 'lead') → 1,200 leads. */
export const plural = (count: number, one: string, many: string = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const AMERICAN = /^(?:\+?1[ .-]?)?\(?([2-9]\d{2})\)?[ .-]?(\d{3})[ .-]?(\d{4})$/;

/** A number as Google and imports write it, wherever it is from: +12175550101, (217) 555-0101 → +1 217-555-0101; others as they are. */
export const formatPhone = (phone: string): string => phone.trim().replace(AMERICAN, '+1 $1-$2-$3');

/** A span of hours in the largest unit that fits: 8 → 8 hours, 720 → 30 days. */
export const formatHours = (hours: number): string =>
  hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour');

/** Bytes in the unit that suits them, decimal: 900 → 1 kB, 1_234_567 → 1.2 MB. */
export function formatBytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return kilobytes < 1000 ? `${kilobytes} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** An ISO time as a day: Nov 21, 2026. Empty for something that is no time. */
export function formatDate(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? '' : dates().format(time);
}

/** A day such as 2026-11-21: Nov 21, 2026. */
export const formatDay = (day: string): string => formatDate(`${day}T12:00`);

/** A time of day such as 08:00: 8:00 AM. */
export function formatHour(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

/** A text of the server with its days and times as they are shown everywhere: 08:00–21:00 → 8:00 AM–9:00 PM. */
export const formatTimesIn = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\d\b/g, formatDay).replace(/\b(?:[01]\d|2[0-4]):[0-5]\d\b/g, formatHour);

/** An ISO time to the second: Nov 21, 2026, 4:38:05 PM. Empty for something that is no time. */
export function formatTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? '' : times().format(time);
}

/** An ISO time of the last weeks, short: Nov 21, 4:38 PM. Empty for something that is no time. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? '' : moments().format(time);
}

/** An ISO time as the clock shows it: 4:38:05 PM. Empty for something that is no time. */
export function formatClock(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? '' : clock().format(time);
}

/** Units from large to small, with their length in ms. */
const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** An ISO time as seen from `now` (ms): 5 minutes ago, yesterday, just now. Empty for something that is no time. */
export function formatRelative(iso: string, now: number = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const distance = time - now;
  const unit = UNITS.find(([, length]) => Math.abs(distance) >= length);
  return unit ? relative().format(Math.trunc(distance / unit[1]), unit[0]) : 'just now';
}
