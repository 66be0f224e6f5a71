import { sql } from 'kysely';
import { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import {
  ComplianceTotals,
  EnrichmentTotals,
  type listRuns as endpoint,
  RUN_STATES,
  type Run,
  SearchTotals,
} from '#contract/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import type { RunRow } from '#server/runs/run-context.ts';
import { RunKind } from '#server/runs/run-kind.ts';

/** Runs shown of one list, and lists of which the newest run is shown. */
const MOST = 500;

/** The caller's runs, newest first: of one list (NOT_FOUND when it is not the caller's), or the newest of each list. */
export async function listRuns(ctx: Ctx, query: z.output<typeof endpoint.query>): Promise<DataOf<typeof endpoint>> {
  const { deps, user } = ctx;
  const cost = sql`(select coalesce(sum(cost_micros), 0)::bigint from app.paid_calls where run_id = run.id) as cost_micros`;
  if (query.list_id) {
    const list = await ownList(deps.db, user.userId, query.list_id);
    const { rows } = await sql<CostedRun>`
      select run.*, ${cost} from app.runs as run
      where list_id = ${list.id} and user_id = ${user.userId} order by created_at desc limit ${MOST}
    `.execute(deps.db);
    return { runs: rows.map(toRun) };
  }
  const { rows } = await sql<CostedRun>`
    select run.*, ${cost}
    from public.lists as list cross join lateral (
      select * from app.runs where list_id = list.id order by created_at desc limit 1
    ) as run
    where list.user_id = ${user.userId} order by run.created_at desc limit ${MOST}
  `.execute(deps.db);
  return { runs: rows.map(toRun) };
}

const Selection = z.object({ leadIds: z.array(z.string()) });

/** The chosen leads of a run that will be repeated; of others nobody asks for them. */
function selectionOf({ state, input }: RunRow): Pick<Run, 'leadIds'> {
  if (state !== 'failed' && state !== 'cancelled') return {};
  return Selection.safeParse(input).data ?? {};
}

type CostedRun = RunRow & { cost_micros: number };

function toRun(row: CostedRun): Run {
  const kind = RunKind.parse(row.kind);
  return {
    id: row.id,
    listId: row.list_id,
    kind,
    state: RUN_STATES.find((state) => state === row.state) ?? 'failed',
    ...(kind === 'search' ? { search: SearchTotals.parse(row.totals) } : {}),
    ...(kind === 'enrichment' ? { enrichment: EnrichmentTotals.parse(row.totals) } : {}),
    ...(kind === 'compliance' ? { compliance: ComplianceTotals.parse(row.totals) } : {}),
    ...selectionOf(row),
    estimateMicros: row.estimate_micros,
    costMicros: row.cost_micros,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
