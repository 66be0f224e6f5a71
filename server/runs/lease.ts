import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { adoptCalls } from '#server/paid-calls/adopt-calls.ts';
import type { RunDeps, RunRow } from './run-context.ts';

/** A run whose process has died is free for others after this long, in ms: an interrupted run must resume within 15 s. */
export const LEASE_MS = 10_000;
export const HEARTBEAT_MS = 2_500;

const UNIQUE_VIOLATION = '23505';

/**
 * Takes a run that waits, or one whose process has died, for `owner`. Undefined when another process has it, when another run
 * of the list is under way or waits longer, or when it has ended. What a dead process left in flight is sorted out at once.
 */
export async function claimRun(db: Db, runId: string, owner: string): Promise<RunRow | undefined> {
  try {
    const { rows } = await sql<RunRow & { resumed: boolean }>`
        update app.runs as run
        set state = 'running', lease_owner = ${owner}, lease_expires_at = now() + ${LEASE_MS} * interval '1 millisecond',
          started_at = coalesce(started_at, now()), progressed_at = now()
        where id = ${runId}
          and (state = 'queued' or (state = 'running' and lease_expires_at < now()))
          and not exists (
            select from app.runs as other
            where other.list_id = run.list_id and other.id <> run.id
              and (other.state = 'running' or (other.state = 'queued' and other.created_at < run.created_at))
          )
        returning *, started_at < now() as resumed
      `.execute(db);
    const [run] = rows;
    if (run?.resumed) await adoptCalls(db, run.id);
    return run;
  } catch (error) {
    // Another run of the list was claimed in the same moment.
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

/** Keeps a run for `owner`. Answers what to do: go on, or stop and why. */
export async function renewLease(db: Db, runId: string, owner: string): Promise<'held' | 'cancelled' | 'lease_lost'> {
  const row = await db
    .updateTable('app.runs')
    .set({ lease_expires_at: sql`now() + ${LEASE_MS} * interval '1 millisecond'` })
    .where('id', '=', runId)
    .where('state', '=', 'running')
    .where('lease_owner', '=', owner)
    .returning('cancel_requested_at')
    .executeTakeFirst();
  if (!row) return 'lease_lost';
  return row.cancel_requested_at ? 'cancelled' : 'held';
}

/** Gives a run back, so that another process continues it at once. */
export async function releaseRun(deps: Pick<RunDeps, 'db' | 'queue'>, runId: string, owner: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const released = await tx
      .updateTable('app.runs')
      .set({ state: 'queued', lease_owner: null, lease_expires_at: null })
      .where('id', '=', runId)
      .where('state', '=', 'running')
      .where('lease_owner', '=', owner)
      .returning('id')
      .executeTakeFirst();
    if (released) await deps.queue.announceRun(tx, runId);
  });
}
