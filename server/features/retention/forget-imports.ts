import { sql } from 'kysely';
import { PROBLEM_DAYS, WAITING_FILE_DAYS } from '#contract/imports/imports.ts';
import type { Db } from '#db/connection/client.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const ROWS_AT_ONCE = 20_000;

/**
 * Deletes files that were never started, and rows that no one needs anymore. Safe to repeat, and in several processes at once.
 * - Rows that have become leads go at once. This finds what a crash has left of them.
 * - Rows with problems stay as long as they can be downloaded.
 */
export async function forgetImports(db: Db, signal: AbortSignal): Promise<void> {
  const unneeded = sql`
    (import.state in ('completed', 'canceled', 'failed', 'undone') and (staged.problems is null
      or import.finished_at <= now() - ${days(PROBLEM_DAYS)}))
    or (import.state in ('reading', 'ready') and import.created_at <= now() - ${days(WAITING_FILE_DAYS)})`;
  await inBatches(ROWS_AT_ONCE, signal, () =>
    sql`
      delete from app.import_rows where ctid = any(array(
        select staged.ctid from app.import_rows as staged join app.imports as import on import.id = staged.import_id
        where ${unneeded} limit ${ROWS_AT_ONCE} for update of staged skip locked))
    `.execute(db),
  );
  await sql`
    delete from app.imports where state in ('reading', 'ready') and created_at <= now() - ${days(WAITING_FILE_DAYS)}
  `.execute(db);
}
