import { sql } from 'kysely';
import type { RunDetail, RunKind } from '#contract/work/runs.ts';
import type { Db } from '#db/connection/client.ts';
import { isKnownKind } from '#server/runs/known-runs.ts';
import { inputOfSteps, stepsOf } from '#server/runs/public-run.ts';
import { RUNS_OF_ONE_USER } from '#server/runs/run-lease.ts';

/** `known`: whether this version can tell what the run is. A server of the next version may have begun others during an update. */
type Row = { kind: RunKind; known: boolean; input: unknown; list_name: string; of_list: boolean; begun: boolean };

/**
 * What a run waits behind before it begins, by the rules of `claimNextRun`; null for one that has begun.
 * - A run of a kind that this version does not know is counted, and not named.
 */
export async function readQueue(db: Db, runId: string): Promise<RunDetail['queue']> {
  const { rows } = await sql<Row>`
    select other.kind, ${isKnownKind('other')} as known, ${inputOfSteps('other')}, coalesce(list.name, other.list_name) as list_name, coalesce(other.list_id = run.list_id, false) as of_list,
      other.started_at is not null as begun
    from app.runs as run
      join app.runs as other on other.user_id = run.user_id and other.id <> run.id and other.state in ('queued', 'running')
        and (other.started_at is not null or other.created_at < run.created_at)
      left join public.lists as list on list.id = other.list_id
    where run.id = ${runId} and run.state = 'queued' and run.started_at is null
    order by other.started_at nulls last, other.created_at
  `.execute(db);
  if (rows.length === 0) return null;
  const begun = rows.filter((row) => row.begun);
  const behind = rows.find((row) => row.of_list) ?? (begun.length >= RUNS_OF_ONE_USER ? begun[0] : undefined);
  return {
    behind: behind?.known ? { kind: behind.kind, ...stepsOf(behind), listName: behind.list_name } : null,
    ahead: rows.length - begun.length,
  };
}
