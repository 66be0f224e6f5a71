import { sql } from 'kysely';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { SealedKey } from '#server/api-keys/api-key.ts';
import type { Wait } from '#server/paid-calls/departure/waits.ts';
import { adoptCalls } from '#server/paid-calls/ledger/adopt-calls.ts';
import { isKnownRun } from './known-runs.ts';
import type { RunDeps, RunRow } from './run-context.ts';

/**
 * In ms. A dead process's run is free after `lastsMs`, because an interrupted run must resume within 15 s.
 * Until then its process says every `beatMs` that it lives.
 */
export const LEASE: Readonly<{ lastsMs: number; beatMs: number }> = { lastsMs: 10_000, beatMs: 2_500 };

const UNIQUE_VIOLATION = '23505';

/** What working on a run needs to know of it. `others_wait`: whether there may be another one to claim. `keys`: those of its owner. */
export type ClaimedRun = Pick<
  RunRow,
  'id' | 'user_id' | 'list_id' | 'kind' | 'input' | 'totals' | 'bound_micros' | 'cancel_requested_at'
> & { sandbox: boolean; others_wait: boolean; keys: SealedKey[] };

/** Runs of one user that are worked on at the same time: their keys allow no more speed, and others want places too. */
export const RUNS_OF_ONE_USER = 8;

/**
 * Claims the next run for `owner`, or returns undefined when none is next. Sorts out what a dead process left of it in flight.
 * - Next is a run that waits, or whose process has died: of the user with the fewest at work, the oldest first.
 * - Not next are runs behind another of their list, or of a user who has all their places.
 * - Runs that a later version has begun, and this one does not know, are left for a process of that one.
 * - A run that has noted a day to go on forgets it: it goes on now.
 * - A run that has begun keeps its place: others of that user may wait for a call that it was about to make.
 */
export async function claimNextRun(db: Db, owner: string): Promise<ClaimedRun | undefined> {
  const run = await claim(db, owner);
  if (run?.resumed && !(await adoptRun(db, run.id, owner))) return undefined;
  return run;
}

/**
 * `resumed`: it had begun before.
 * A claim that a crash of PostgreSQL undoes is found out by the first call, whose booking waits for the disk.
 */
async function claim(db: Db, owner: string): Promise<(ClaimedRun & { resumed: boolean }) | undefined> {
  const claiming = sql<ClaimedRun & { resumed: boolean }>`
    ${KEPT} with begun as (
      select user_id, count(*) as runs, count(*) filter (where state = 'running' and lease_expires_at >= now()) as at_work
      from app.runs where state in ('queued', 'running') and started_at is not null group by user_id
    ), next as (
      select run.id from app.runs as run left join begun using (user_id)
      where (run.state = 'queued' or (run.state = 'running' and run.lease_expires_at < now())) and ${isKnownRun('run')}
        and (run.started_at is not null or coalesce(begun.runs, 0) < ${RUNS_OF_ONE_USER})
        and not exists (
          select from app.runs as other
          where other.list_id = run.list_id and other.id <> run.id
            and (other.state = 'running' or (other.state = 'queued' and other.created_at < run.created_at))
        )
      order by coalesce(begun.at_work, 0), run.started_at is null, run.created_at
      limit 1 for update of run skip locked
    )
    update app.runs as run
    set state = 'running', lease_owner = ${owner}, lease_expires_at = now() + ${LEASE.lastsMs} * interval '1 millisecond',
      started_at = coalesce(started_at, now()), progressed_at = now(), waiting_reason = null, waiting_until = null,
      resume_at = null, resume_micros = null
    from next where run.id = next.id and ${asyncCommit}
    returning run.id, run.user_id, run.list_id, run.kind, run.input, run.totals, run.sandbox, run.bound_micros, run.cancel_requested_at,
      run.started_at < now() as resumed, (
      select coalesce(jsonb_agg(jsonb_build_object('provider', provider, 'sealed', sealed_key, 'fingerprint', fingerprint)), '[]')
      from app.provider_keys where user_id = run.user_id
    ) as keys, exists (
      select from app.runs as other
      where other.id <> run.id and (other.state = 'queued' or (other.state = 'running' and other.lease_expires_at < now()))
    ) as others_wait
  `.execute(db);
  try {
    return (await claiming).rows[0];
  } catch (error) {
    // Another run of the list was claimed in the same moment.
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

/**
 * Sorts out what a dead process left in flight of a run, before `owner` begins. Returns false when that one has lost it as well.
 * The run is locked before its calls, as by anyone who still settles one of them.
 */
function adoptRun(db: Db, runId: string, owner: string): Promise<boolean> {
  return guardedTransaction(db, async (tx) => {
    const { rows } = await sql`
      select from app.runs where id = ${runId} and state = 'running' and lease_owner = ${owner} for no key update
    `.execute(tx);
    if (rows.length === 0) return false;
    await adoptCalls(tx, runId);
    return true;
  });
}

/** How a run stands in the process that works on it. */
export type Standing = { moved: boolean; wait: Wait | undefined };

/**
 * Keeps a run for `owner` and writes how it stands. Returns what to do: go on, or stop and why.
 * A beat that a crash of PostgreSQL undoes counts as missed. A lease outlasts two.
 */
export async function renewLease(
  db: Db,
  runId: string,
  owner: string,
  { moved, wait }: Standing,
): Promise<'held' | 'cancelled' | 'lease_lost'> {
  const row = await db
    .updateTable('app.runs')
    .set({
      lease_expires_at: sql`now() + ${LEASE.lastsMs} * interval '1 millisecond'`,
      waiting_reason: wait?.reason ?? null,
      waiting_until: wait?.until ?? null,
      ...(moved ? { progressed_at: sql<Date>`now()` } : {}),
    })
    .where('id', '=', runId)
    .where('state', '=', 'running')
    .where('lease_owner', '=', owner)
    .where(asyncCommit)
    .returning('cancel_requested_at')
    .executeTakeFirst();
  if (!row) return 'lease_lost';
  return row.cancel_requested_at ? 'cancelled' : 'held';
}

/** Gives a run back, so that another process continues it at once. */
export async function releaseRun(deps: Pick<RunDeps, 'db' | 'queue'>, runId: string, owner: string): Promise<void> {
  await guardedTransaction(deps.db, async (tx) => {
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
