import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Resolves when a read under way has ended, however it did: it may have begun before what is known by now. */
export async function afterRead(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const read = queries.getQueryCache().find({ queryKey, fetchStatus: 'fetching' });
  await read?.promise?.catch(() => undefined);
}
