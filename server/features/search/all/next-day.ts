import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { NEXT_DAY } from '#server/features/search/next-day.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { AreaInput } from './area-input.ts';

/** A search that went on by itself on this many days in a row, and brought nothing, does so no more. */
const MOST_IDLE_DAYS = 3;

const IDLE = `On ${MOST_IDLE_DAYS} days in a row, the quota of this Google key ran out before anything was found. So this search no longer continues by itself. Raise the quota in the Google Cloud console, or use another key, then press Retry.`;

/** How far a run has come. `isBoundDecided`: whether it is known what it may cost. `survey`: what it found when it began. */
export type Standing = { isBoundDecided: boolean; survey?: { id: string; free_calls: number } };

/**
 * Notes that a search resumes when its key may be used again, with what is left of its bound if that is decided.
 * @throws OUT_OF_CREDIT when it has done so in vain for some days.
 */
export async function goOnNextDay(
  { deps: { db }, run }: ListRunContext,
  input: AreaInput,
  standing: Standing,
): Promise<void> {
  const isIdle = input.unattended === true && !(await hasMoved(db, run.id, standing));
  const idleDays = isIdle ? (input.idleDays ?? 0) + 1 : 0;
  if (idleDays >= MOST_IDLE_DAYS) throw new AppError('OUT_OF_CREDIT', IDLE);
  await sql`
    update app.runs as run set resume_at = ${NEXT_DAY}, input = input || jsonb_build_object('idleDays', ${idleDays}::integer),
      resume_micros = case when ${standing.isBoundDecided} then greatest(0, bound_micros - (
        select coalesce(sum(cost_micros), 0)::bigint from app.ledger_days where run_id = run.id)) end
    where id = ${run.id}
  `.execute(db);
}

/** Whether a run has brought an answer, or its area was counted any further meanwhile. */
async function hasMoved(db: Db, runId: string, { survey }: Standing): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select exists (select from app.paid_calls where run_id = ${runId} and state in ('answered', 'uncertain')) or exists (
      select from app.surveys where id = ${survey?.id ?? null}::uuid and free_calls > ${survey?.free_calls ?? 0}::integer) as moved
  `.execute(db);
  return rows[0]?.moved ?? false;
}
