import { sql } from 'kysely';
import { RETENTION_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const ARCHIVED_AT_ONCE = 1_000;
/** Fewer, because their leads go with them. */
const DELETED_AT_ONCE = 200;

export type ListSweep = {
  /** Whose lists; everyone's when left out. */
  userId?: string;
  /** Leaves lists whose deletion was not announced by mail. A date that was announced is kept in any case. */
  announcedOnly: boolean;
  signal: AbortSignal;
};

/**
 * Archives lists whose clock began 30 days ago, and deletes those archived 30 days ago. Returns how many.
 * - Lists that are being worked on, or that someone changes at this moment, are left for the next sweep.
 * - Safe to repeat, and in several processes at once.
 */
export async function sweepLists(db: Db, sweep: ListSweep): Promise<{ archived: number; deleted: number }> {
  const { signal } = sweep;
  const theirs = sweep.userId === undefined ? sql`true` : sql`list.user_id = ${sweep.userId}`;
  // A list with an open run says so; the run is looked for as well, because it is the run that must not lose its list.
  // Their own files are theirs to keep.
  const idle = sql`not list.keep and list.status <> 'processing' and not exists (
    select from app.runs where list_id = list.id and state in ('queued', 'running'))`;
  const announced = sql`coalesce((
    select deletes_at <= now() from app.deletion_warnings
    where list_id = list.id and archived_at = list.archived_at), ${!sweep.announcedOnly})`;

  const archived = await inBatches(ARCHIVED_AT_ONCE, signal, () =>
    sql`
      update public.lists set lifecycle_status = 'archived' where id in (
        select id from public.lists as list
        where lifecycle_status = 'active' and retention_from <= now() - ${days(RETENTION_DAYS)} and ${theirs} and ${idle}
        order by retention_from limit ${ARCHIVED_AT_ONCE} for update skip locked)
    `.execute(db),
  );
  const deleted = await inBatches(DELETED_AT_ONCE, signal, () =>
    sql`
      delete from public.lists where id in (
        select id from public.lists as list
        where lifecycle_status = 'archived' and archived_at <= now() - ${days(RETENTION_DAYS)}
          and ${theirs} and ${idle} and ${announced}
        order by archived_at limit ${DELETED_AT_ONCE} for update skip locked)
    `.execute(db),
  );
  return { archived, deleted };
}
