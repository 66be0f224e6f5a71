/** "America/Indiana/Knox" → "Indiana, Knox". */
const placeOf = (zone: string): string => zone.split('/').slice(1).join(', ').replaceAll('_', ' ') || zone;

/** What the clocks of each zone show at a moment (ms since 1970), each time once: "2:04 PM CST". */
export function localTimes(zones: readonly string[], at: number): string[] {
  const times = zones.map((zone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(at),
  );
  return [...new Set(times)];
}

/** A moment (ISO) as the clocks of a zone show it, with the day where that is not today, and its year if it is another: "Tue, Nov 24, 9:00 AM CST". */
export function timeIn(zone: string | undefined, iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const timeZone = zone ? { timeZone: zone } : {};
  const dayOf = (time: number) => new Intl.DateTimeFormat('en-US', { ...timeZone, dateStyle: 'short' }).format(time);
  const yearOf = (time: number) => new Intl.DateTimeFormat('en-US', { ...timeZone, year: 'numeric' }).format(time);
  const year = yearOf(at) === yearOf(now) ? {} : ({ year: 'numeric' } as const);
  const day = dayOf(at) === dayOf(now) ? {} : ({ weekday: 'short', month: 'short', day: 'numeric', ...year } as const);
  return new Intl.DateTimeFormat('en-US', {
    ...timeZone,
    ...day,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

/** A moment (ISO) as the clocks of each zone show it, the same once; in the reader's own zone where none is known. */
export const timesIn = (zones: readonly string[], iso: string, now: number): string =>
  [...new Set((zones.length > 0 ? zones : [undefined]).map((zone) => timeIn(zone, iso, now)))].join(' or ');

export const zonesText = (zones: readonly string[]): string => zones.map(placeOf).join(' and ');
