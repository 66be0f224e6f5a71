import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import { CALL_STATES } from '#contract/money/paid-calls.ts';
import type { getRunEndpoint } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { SHOWN_STATE } from '#server/paid-calls/ledger/shown-state.ts';
import { isKnownKind } from '#server/runs/known-runs.ts';
import { type CostedRun, RUN_COST, selectionOf, toRun } from '#server/runs/public-run.ts';
import { isUuid } from '#server/runs/rows.ts';
import { readQueue } from './read-queue.ts';

type DetailRow = CostedRun & {
  list: string | null;
  calls: Record<string, number> | null;
};

/**
 * One of the caller's runs with its list's name and its calls by state.
 * @throws NOT_FOUND
 */
export async function getRun(
  { deps, user }: Ctx,
  { id }: z.output<typeof getRunEndpoint.query>,
): Promise<DataOf<typeof getRunEndpoint>> {
  if (!isUuid(id)) throw notFound('This run');
  const { rows } = await sql<DetailRow>`
    select run.*, ${RUN_COST}, (select name from public.lists where id = run.list_id) as list,
      (select jsonb_object_agg(state, calls) from (
        select ${SHOWN_STATE} as state, count(*) as calls from app.paid_calls where run_id = run.id group by 1
      ) as counted) as calls
    from app.runs as run where id = ${id} and user_id = ${user.userId} and ${isKnownKind('run')}
  `.execute(deps.db);
  const [row] = rows;
  if (!row) throw notFound('This run');
  const counts = row.calls ?? {};
  return {
    run: {
      ...toRun(row),
      listName: row.list ?? row.list_name,
      ...selectionOf(row),
      boundMicros: row.bound_micros,
      sandbox: row.sandbox ?? false,
      queue: await readQueue(deps.db, row.id),
      cancelling: row.cancel_requested_at !== null && row.finished_at === null,
      calls: Object.fromEntries(CALL_STATES.flatMap((state) => (counts[state] ? [[state, counts[state]]] : []))),
    },
  };
}
