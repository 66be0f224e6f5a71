import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { listUsageRunsEndpoint } from '#contract/money/usage.ts';
import { RUN_STATES, type RunKind } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { inputOfSteps, stepsOf } from '#server/runs/public-run.ts';
import { ownRun } from '#server/runs/rows.ts';
import { chooseMoney } from './choose-money.ts';
import { inPeriod } from './chosen.ts';
import { LEDGER_SUMS, type SumRow, toSums } from './sums.ts';

const PAGE = 20;

type Row = SumRow & {
  id: string;
  list_id: string | null;
  name: string;
  kind: RunKind;
  input: unknown;
  state: string;
  created_at: Date;
};

/**
 * Returns a page of the caller's runs, newest first, with what the ledger holds of each in the period.
 * @throws NOT_FOUND when the page is to follow a run that is not theirs.
 */
export async function listUsageRuns(
  { deps: { db }, user }: Ctx,
  { after, ...period }: z.output<typeof listUsageRunsEndpoint.query>,
): Promise<DataOf<typeof listUsageRunsEndpoint>> {
  const last = after === undefined ? undefined : await ownRun(db, user.userId, after);
  const { money } = await chooseMoney(db, user.userId, period.money);
  const chosen = { ...period, userId: user.userId, sandbox: money === 'sandbox' };
  const { rows } = await sql<Row>`
    select run.id, run.list_id, coalesce(list.name, run.list_name) as name, run.kind, ${inputOfSteps('run')}, run.state, run.created_at, day.*
    from app.runs as run
      cross join lateral (
        select ${LEDGER_SUMS} from app.ledger_days where run_id = run.id and ${inPeriod(chosen)} having count(*) > 0
      ) as day
      left join public.lists as list on list.id = run.list_id
    where run.user_id = ${user.userId} and run.created_at < (${period.to}::date + 1) at time zone 'UTC'
      and run.created_at >= (select min(begun) from app.usage_days where ${inPeriod(chosen)}) at time zone 'UTC'
      and (${last?.id ?? null}::uuid is null or (run.created_at, run.id) < (
        select created_at, id from app.runs where id = ${last?.id ?? null}
      ))
    order by run.created_at desc, run.id desc limit ${PAGE + 1}
  `.execute(db);
  const runs = rows.slice(0, PAGE).map((row) => ({
    ...toSums(row),
    id: row.id,
    listId: row.list_id,
    listName: row.name,
    kind: row.kind,
    ...stepsOf(row),
    state: RUN_STATES.find((state) => state === row.state) ?? 'failed',
    createdAt: row.created_at.toISOString(),
  }));
  return { runs, next: rows.length > PAGE ? (runs.at(-1)?.id ?? null) : null };
}
