import type { Pool } from 'pg';
import { isDatabaseGone } from '#db/database-gone.ts';
import { type Filtering, type Row, readRows } from './read-rows.ts';
import type { WatchedTable } from './watched-tables.ts';

/** In one statement. */
const FILTERS_AT_ONCE = 200;

const QUERY_CANCELED = '57014';
/** Of a filter that takes too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === QUERY_CANCELED;

/**
 * The same as `readRows` for any number of filters, of which those that fail keep nobody else from being told: they are told to `onBroken`,
 * and let nothing pass. After one that takes too long, no other of its person is tried.
 */
export async function readAnyway<F extends Filtering>(
  pool: Pool,
  table: WatchedTable,
  ids: readonly string[],
  filterings: readonly F[],
  onBroken: (broken: readonly F[], error: unknown) => void,
): Promise<Map<string, Row<F>>> {
  const rows = new Map<string, Row<F>>();
  const slow = new Map<string, unknown>();
  /** Whose filter fails shows when each person's are tried apart, and which when each is. */
  const read = async (some: readonly F[]): Promise<void> => {
    try {
      for (const [id, { record, passes }] of await readRows(pool, table, ids, some))
        rows.set(id, { record, passes: new Set([...passes, ...(rows.get(id)?.passes ?? [])]) });
    } catch (error) {
      const [first] = some;
      if (!first || isDatabaseGone(error)) throw error;
      const isOnePersons = some.every(({ userId }) => userId === first.userId);
      if (isOnePersons && isCancelled(error)) slow.set(first.userId, error);
      if (some.length === 1 || slow.has(first.userId)) return onBroken(some, error);
      const parts = isOnePersons ? some.map((one) => [one]) : Map.groupBy(some, ({ userId }) => userId).values();
      for (const part of parts) await read(part);
    }
  };
  for (let at = 0; at < filterings.length; at += FILTERS_AT_ONCE) {
    const some = Map.groupBy(filterings.slice(at, at + FILTERS_AT_ONCE), ({ userId }) => slow.get(userId));
    for (const [error, own] of some) await (error === undefined ? read(own) : onBroken(own, error));
  }
  if (rows.size === 0) await read([]);
  return rows;
}
