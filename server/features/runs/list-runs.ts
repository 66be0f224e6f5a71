import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { listRunsEndpoint } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { isKnownKind } from '#server/runs/known-runs.ts';
import { type CostedRun, RUN_COST, toRun } from '#server/runs/public-run.ts';
import { ownList } from '#server/runs/rows.ts';

/** Runs shown of one list, and lists of which one run is shown. */
const MOST = 500;

/**
 * Returns the caller's runs, newest first: all runs of one list, or each list's run that ended last.
 * A run that waited behind another may have been cancelled before that other failed.
 * @throws NOT_FOUND when the list is not the caller's.
 */
export async function listRuns(
  ctx: Ctx,
  query: z.output<typeof listRunsEndpoint.query>,
): Promise<DataOf<typeof listRunsEndpoint>> {
  const { deps, user } = ctx;
  if (query.list_id) {
    const list = await ownList(deps.db, user.userId, query.list_id);
    const { rows } = await sql<CostedRun>`
      select run.*, ${RUN_COST} from app.runs as run
      where list_id = ${list.id} and user_id = ${user.userId} and ${isKnownKind('run')} order by created_at desc limit ${MOST}
    `.execute(deps.db);
    return { runs: rows.map(toRun) };
  }
  const { rows } = await sql<CostedRun>`
    select run.*, ${RUN_COST}
    from public.lists as list cross join lateral (
      select * from app.runs where list_id = list.id and ${isKnownKind('runs')} order by finished_at desc nulls last, created_at desc limit 1
    ) as run
    where list.user_id = ${user.userId} order by run.created_at desc limit ${MOST}
  `.execute(deps.db);
  return { runs: rows.map(toRun) };
}
