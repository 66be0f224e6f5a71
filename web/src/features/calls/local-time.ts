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

/** A moment (ISO) as the clocks of a zone show it, with the day where that is not today: "Tue, Nov 24, 9:00 AM CST". */
export function timeIn(zone: string | undefined, iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const timeZone = zone ? { timeZone: zone } : {};
  const dayOf = (time: number) => new Intl.DateTimeFormat('en-US', { ...timeZone, dateStyle: 'short' }).format(time);
  const day = dayOf(at) === dayOf(now) ? {} : ({ weekday: 'short', month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-US', {
    ...timeZone,
    ...day,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

export const zonesText = (zones: readonly string[]): string => zones.map(placeOf).join(' and ');
