import { plural } from './format.ts';

/** "about 2 minutes left"; undefined while that is not known. */
export function timeLeftText(seconds: number | null): string | undefined {
  if (seconds === null) return undefined;
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? `about ${plural(minutes, 'minute')} left`
    : `about ${plural(Math.round(minutes / 60), 'hour')} left`;
}
