import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';

/** A fixed window of `windowMs` in which hits are counted under a name that holds nothing personal. */
export type Counter = { bucket: string; windowMs: number };
/** The hits in the current window, this one among them, and how long it lasts still. */
export type Count = { hits: number; resetsInMs: number };

/**
 * Counts one hit for each counter, for all processes, in one statement. Returns the counts in the order asked.
 * Callers that share counters name them in the same order, so that they never wait for each other in a circle.
 */
export async function countHits(db: Db, counters: readonly Counter[]): Promise<Count[]> {
  const buckets = counters.map((counter) => counter.bucket);
  const windows = counters.map((counter) => counter.windowMs);
  const { rows } = await sql<{ hits: number; resets_in_ms: string | number }>`
    ${KEPT} select count.hits, count.resets_in_ms
    from unnest(${buckets}::text[], ${windows}::bigint[]) with ordinality as counter (bucket, window_ms, place)
    cross join lateral app.count_hit(counter.bucket, counter.window_ms) as count
    order by counter.place`.execute(db);
  return rows.map((row) => ({ hits: row.hits, resetsInMs: Number(row.resets_in_ms) }));
}
