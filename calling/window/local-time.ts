/** A day of a calendar, with its day of the week from 0 (Sunday) to 6. `text` as 2026-12-25. */
export type LocalDay = { year: number; month: number; day: number; weekday: number; text: string };

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** Clocks change on a quarter of an hour at the earliest. */
const QUARTER_MS = 900_000;
/** Offsets that are remembered: some months of every zone. */
const MOST_OFFSETS = 200_000;
const offsets = new Map<string, Map<number, number>>();
let remembered = 0;

/** How far the clocks of a zone are ahead of UTC at a moment, in ms. To ask `Intl` each time takes most of a verdict. */
function offsetAt(zone: string, at: number): number {
  const quarter = Math.floor(at / QUARTER_MS);
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const known = ofZone.get(quarter);
  if (known !== undefined) return known;
  if (remembered >= MOST_OFFSETS) {
    offsets.clear();
    remembered = 0;
  }
  const begin = quarter * QUARTER_MS;
  const offset = shownBy(zone, begin) - begin;
  offsets.set(zone, ofZone.set(quarter, offset));
  remembered += 1;
  return offset;
}

/** What clocks of a zone show at a moment, as if it were UTC, in ms since 1970. */
const wallClock = (zone: string, at: number): number => at + offsetAt(zone, at);

function shownBy(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The day that a zone has at a moment, and `later` days after that. */
export function localDay(zone: string, at: number, later = 0): LocalDay {
  const date = new Date(wallClock(zone, at) + later * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    text: date.toISOString().slice(0, 10),
  };
}

/** When clocks of a zone show a time such as 08:30 on a day, in ms since 1970. */
export function momentOf(zone: string, { year, month, day }: LocalDay, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wall = Date.UTC(year, month - 1, day, hours, minutes);
  const guess = wall - offsetAt(zone, wall);
  return wall - offsetAt(zone, guess);
}

/** A moment as clocks of a zone show it, such as 2026-12-08T08:00:00-06:00. */
export function localText(zone: string, at: number): string {
  const offset = offsetAt(zone, at) / 60_000;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = new Date(wallClock(zone, at)).toISOString().slice(0, 19);
  return `${clock}${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}
