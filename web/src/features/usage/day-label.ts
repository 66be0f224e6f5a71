const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** A day of UTC (2026-11-21) as people write it: Nov 21, 2026. */
export const dayLabel = (day: string): string => (day === '' ? '' : days.format(Date.parse(day)));
