import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { isAskedEarly } from '#web/lib/backend/early-answers.ts';
import { currentQueries } from './query-client.ts';

/** How long the first page waits for what was asked for early, in ms. Mostly it has come before the scripts have. */
const PATIENCE_MS = 50;

/** Reads something into the cache. */
export type FirstRead = { prefetch: (queries: ReturnType<typeof currentQueries>) => Promise<void> };

/** A query that the script of index.html asks for. */
export const early = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>): FirstRead => ({
  prefetch: (queries) => queries?.prefetchQuery(query) ?? Promise.resolve(),
});

/** Reads what the first page was asked for with, so that it is drawn once, and whole. Does nothing for later pages. */
export async function readFirst(...wanted: readonly FirstRead[]): Promise<void> {
  if (!isAskedEarly()) return;
  const read = Promise.all(wanted.map(({ prefetch }) => prefetch(currentQueries())));
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
