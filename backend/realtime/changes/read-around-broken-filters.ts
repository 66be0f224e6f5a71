import type { Pool } from 'pg';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { type Filtering, type Row, readRows } from './read-rows.ts';
import type { WatchedTable } from './watched-tables.ts';

/** In one statement. */
const FILTERS_AT_ONCE = 200;

const QUERY_CANCELED = '57014';
/** Whether the error comes from a filter that took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === QUERY_CANCELED;

/**
 * The same as `readRows` for any number of one person's filters. Those that fail are told to `onBroken` and let nothing pass, and the
 * others are applied all the same. After one that takes too long, no other is tried.
 */
export async function readAroundBrokenFilters<F extends Filtering>(
  pool: Pool,
  table: WatchedTable,
  ids: readonly string[],
  filterings: readonly F[],
  onBroken: (broken: readonly F[], error: unknown) => void,
): Promise<Map<string, Row<F>>> {
  const rows = new Map<string, Row<F>>();
  let slow: unknown;
  /** Which filter fails shows when each is tried apart. */
  const read = async (some: readonly F[]): Promise<void> => {
    if (slow !== undefined) return onBroken(some, slow);
    try {
      for (const [id, { record, passes }] of await readRows(pool, table, ids, some))
        rows.set(id, { record, passes: new Set([...passes, ...(rows.get(id)?.passes ?? [])]) });
    } catch (error) {
      if (some.length === 0 || isDatabaseGone(error)) throw error;
      if (isCancelled(error)) slow = error;
      if (some.length === 1 || slow !== undefined) return onBroken(some, error);
      for (const one of some) await read([one]);
    }
  };
  for (let at = 0; at < filterings.length; at += FILTERS_AT_ONCE)
    await read(filterings.slice(at, at + FILTERS_AT_ONCE));
  if (rows.size === 0) {
    slow = undefined;
    await read([]);
  }
  return rows;
}
