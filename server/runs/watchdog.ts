import { sql } from 'kysely';
import { finishRun } from './finish-run.ts';
import type { Kinds, RunDeps } from './run-context.ts';

const EVERY_MS = 2_000;
const FEW = 100;

/**
 * One look at everything that could be stuck; safe in any number of processes at once. Runs whose process has died and runs that
 * wait without being taken are announced (again), cancelled ones that nobody works on are ended, and lists that say "processing" for
 * 60 s without a run become failed.
 */
export async function sweepRuns(deps: Pick<RunDeps, 'db' | 'queue' | 'metrics'>, kinds: Kinds): Promise<void> {
  const { rows: cancelled } = await sql<{ id: string }>`
    select id from app.runs
    where cancel_requested_at is not null and (state = 'queued' or (state = 'running' and lease_expires_at < now()))
    limit ${FEW}
  `.execute(deps.db);
  for (const { id } of cancelled) await finishRun(deps, kinds, { id }, { end: 'cancelled' });

  const { rows: waiting } = await sql<{ id: string }>`
    select id from app.runs as run
    where cancel_requested_at is null
      and ((state = 'running' and lease_expires_at < now())
        or (state = 'queued' and created_at < now() - interval '5 seconds' and not exists (
          select from app.runs as other where other.list_id = run.list_id and other.state = 'running')))
    order by created_at limit ${FEW}
  `.execute(deps.db);
  for (const { id } of waiting) await deps.queue.announceRun(deps.db, id);

  // A list that was touched in the last seconds may have a run that is not committed yet.
  await sql`
    update public.lists as list set status = 'failed'
    where status = 'processing' and created_at < now() - interval '60 seconds'
      and updated_at < now() - interval '10 seconds'
      and not exists (select from app.runs where list_id = list.id
        and (state in ('queued', 'running') or finished_at > now() - interval '60 seconds'))
  `.execute(deps.db);
}

/** Sweeps now, every 2 s, and whenever a list's runs are cancelled. `stop` waits for the sweep under way. */
export function startWatchdog(deps: RunDeps, kinds: Kinds): { stop(): Promise<void> } {
  let sweep: Promise<void> | undefined;
  const look = () => {
    sweep ??= sweepRuns(deps, kinds)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'watchdog could not look'))
      .finally(() => {
        sweep = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  const forget = deps.notifications.on('run_cancelled', look);
  look();
  return {
    async stop() {
      clearInterval(timer);
      forget();
      await sweep;
    },
  };
}
