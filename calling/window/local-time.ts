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

/** What clocks of a zone show at a moment, as if it were UTC, in ms since 1970. */
function wallClock(zone: string, at: number): number {
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
  const offsetAt = (at: number) => wallClock(zone, at) - at;
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}
