import { sql } from 'kysely';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { togetherAtLast } from '#db/connection/together.ts';
import { finishRun, type RunFailure, type RunOutcome } from './finish-run.ts';
import { isKnownRun } from './known-runs.ts';
import type { Kinds, RunDeps } from './run-context.ts';
import type { Runner } from './runner.ts';

const EVERY_MS = 2_000;
const FEW = 100;

/** A run under way that has made no progress for this many seconds is stuck. One that says what it waits for gets longer. */
const STUCK_SECONDS = 60;
const STUCK_WAITING_SECONDS = 600;

/** A canceled run that had begun is claimed within this time, in seconds, where a process has room. */
const UNCLAIMED_SECONDS = 10;

const stoodStill: RunFailure = {
  code: 'UNAVAILABLE',
  message:
    'The work stalled twice for more than a minute and was stopped. What was found so far is kept. Press Retry to continue.',
};

/**
 * Looks once at everything that could be stuck. Safe in any number of processes at once.
 * - Cancelled runs that no one works on are ended. One that had begun is first left to a process that claims it, and keeps what it paid for.
 * - Runs that stand still are given to another process and, the second time, failed.
 * - Lists that say "processing" for 60 s without a run become failed.
 * - Returns whether some run waits for a process.
 */
export async function sweepRuns(
  deps: Pick<RunDeps, 'db' | 'queue' | 'metrics' | 'log'>,
  kinds: Kinds,
): Promise<boolean> {
  // Lists are locked before runs, as everywhere.
  const [cancelled, , stuck, [look]] = await guardedTransaction(deps.db, (tx) =>
    togetherAtLast(tx, [CANCELLED, FAIL_LISTS, GIVE_UP_STUCK, LOOK]),
  );
  for (const { id } of cancelled) await endAnyway(deps, kinds, id, { end: 'cancelled' });
  for (const { id, stalls } of stuck) {
    deps.log.warn({ runId: id, stalls }, 'run stalled');
    if (stalls > 1) await endAnyway(deps, kinds, id, { end: 'failed', failure: stoodStill });
  }
  return look?.waits ?? true;
}

const CANCELLED = sql<{ id: string }>`
    select id from app.runs
    where cancel_requested_at is not null and (state = 'queued' or (state = 'running' and lease_expires_at < now()))
      and (started_at is null or not ${isKnownRun('runs')} or cancel_requested_at < now() - ${UNCLAIMED_SECONDS} * interval '1 second')
    limit ${FEW}`;

const GIVE_UP_STUCK = sql<{ id: string; stalls: number }>`
    update app.runs
    set stalls = stalls + 1, progressed_at = now(), lease_owner = null, lease_expires_at = now() - interval '1 second'
    where id in (
      select id from app.runs
      where state = 'running' and ${isKnownRun('runs')} and lease_expires_at >= now() and progressed_at < now() - interval '1 second' *
        case when waiting_reason is null then ${STUCK_SECONDS}::integer else ${STUCK_WAITING_SECONDS}::integer end
      limit ${FEW} for update skip locked
    )
    returning id, stalls`;

/** A list that was touched in the last seconds may have a run that is not committed yet. */
const FAIL_LISTS = sql`
    update public.lists as list set status = 'failed'
    where status = 'processing' and created_at < now() - interval '60 seconds'
      and updated_at < now() - interval '10 seconds'
      and not exists (select from app.runs where list_id = list.id
        and (state in ('queued', 'running') or finished_at > now() - interval '60 seconds'))
      and not exists (select from app.imports where list_id = list.id and state in ('waiting', 'running'))`;

const LOOK = sql<{ waits: boolean }>`
    select exists (
      select from app.runs where state = 'queued' or (state = 'running' and lease_expires_at < now())
    ) as waits`;

/** Ends a run. If that fails, the others are still ended. */
async function endAnyway(
  deps: Pick<RunDeps, 'db' | 'queue' | 'metrics' | 'log'>,
  kinds: Kinds,
  id: string,
  outcome: RunOutcome,
): Promise<void> {
  try {
    await finishRun(deps, kinds, { id }, outcome);
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    deps.log.warn({ err: error, runId: id }, 'run could not be ended');
  }
}

/**
 * Sweeps now, every 2 s, and whenever a list's runs are cancelled. Wakes this process's runner for runs that were never announced to it.
 * `stop` waits for the sweep under way.
 */
export function startWatchdog(deps: RunDeps, kinds: Kinds, runner: Pick<Runner, 'wake'>): { stop(): Promise<void> } {
  let sweep: Promise<void> | undefined;
  // What is cancelled during a sweep, it may not see.
  let again = false;
  const look = () => {
    again = sweep !== undefined;
    sweep ??= sweepRuns(deps, kinds)
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'watchdog sweep failed');
        return true;
      })
      .then((waits) => {
        sweep = undefined;
        if (waits) runner.wake();
        if (again) look();
      });
  };
  const timer = setInterval(look, EVERY_MS);
  const forget = deps.notifications.on('run_cancelled', look);
  look();
  return {
    async stop() {
      clearInterval(timer);
      forget();
      again = false;
      await sweep;
    },
  };
}
