import { useNow } from '#web/lib/browser/use-now.ts';

/** A verdict is read each minute. One of longer ago, in ms, says nothing of now: the browser was offline since, or slept. */
const MOST_AGE_MS = 120_000;

/** What was read about calls; undefined once that is too long ago. */
export function useOfNow<Data>(read: { data: Data | undefined; dataUpdatedAt: number }): Data | undefined {
  const now = useNow();
  return now - read.dataUpdatedAt > MOST_AGE_MS ? undefined : read.data;
}
