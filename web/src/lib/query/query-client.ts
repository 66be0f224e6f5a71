import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/lib/backend/api-error.ts';

const STALE_MS = 15_000;
const READ_RETRIES = 2;

/** Reads are tried again when the way was at fault; a refusal would only be repeated. */
function isWorthRetrying(error: Error): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.kind === 'network' || error.kind === 'non_json' || (error.kind === 'http' && error.status >= 500);
}

let current: QueryClient | undefined;

/** Whether something is being read for the page. */
export const isReading = (): boolean => (current?.isFetching() ?? 0) > 0;

/** The cache of the app that stands. */
export const currentQueries = (): QueryClient | undefined => current;

export function createQueryClient(): QueryClient {
  // It takes a page for online until it is told, and would miss that the network of one opened without it has come.
  onlineManager.setOnline(navigator.onLine);
  current = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < READ_RETRIES && isWorthRetrying(error),
        // Paused queries would show skeletons for ever; a failed one says so and offers another try.
        networkMode: 'always',
        // With that mode it would be off.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return current;
}
