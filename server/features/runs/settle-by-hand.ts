import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { costOfChecks } from '#server/paid-calls/ledger/cost-of-checks.ts';
import { isUuid, ownRun } from '#server/runs/rows.ts';

/**
 * Settles uncertain calls of the caller by what the provider's statement says: charged at their estimate, or not charged.
 * Their subjects may be bought again.
 * @throws NOT_FOUND, with nothing settled, when the run or a call is not the caller's.
 */
export function settleByHand(
  { deps, user }: Ctx,
  { call_ids: callIds, run_id: runId, charged }: z.output<typeof settleCallsEndpoint.body>,
): Promise<DataOf<typeof settleCallsEndpoint>> {
  return guardedTransaction(deps.db, async (tx) => {
    const ids = callIds && [...new Set(callIds)];
    if (ids) await requireCalls(tx, user.userId, ids);
    const which = ids
      ? sql`call.id = any(${ids}::uuid[])`
      : sql`call.run_id = ${(await ownRun(tx, user.userId, runId ?? '')).id}`;
    const lists = await lockCheckedLists(tx, which);
    await lockRuns(tx, which);
    const { rows } = await sql`
      with wanted as (
        select id from app.paid_calls as call
        where ${which} and user_id = ${user.userId} and state = 'uncertain' order by id for update
      )
      update app.paid_calls as call
      set state = 'failed', settled_at = now(), settled_by_hand_at = now(),
        cost_micros = case when ${charged}::boolean then estimate_micros else 0 end
      from wanted where call.id = wanted.id
      returning call.id
    `.execute(tx);
    for (const { id } of lists)
      await tx
        .updateTable('lists')
        .set({ compliance_cost_micros: costOfChecks(id) })
        .where('id', '=', id)
        .execute();
    return { settled: rows.length };
  });
}

async function requireCalls(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (!ids.every(isUuid)) throw notFound('A call');
  const { rows } = await sql`
    select from app.paid_calls where id = any(${ids}::uuid[]) and user_id = ${userId}
  `.execute(tx);
  if (rows.length < ids.length) throw notFound('A call');
}

/** The lists that say what their checks have cost. Locked before the calls, in the order that settling an answer locks them in. */
async function lockCheckedLists(tx: Tx, which: RawBuilder<unknown>): Promise<readonly { id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from public.lists where id in (
      select run.list_id from app.paid_calls as call join app.runs as run on run.id = call.run_id
      where ${which} and run.kind = 'compliance')
    order by id for update
  `.execute(tx);
  return rows;
}

/** Before their calls, as anyone who settles, ends or takes over a run. */
async function lockRuns(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    select from app.runs where id in (select run_id from app.paid_calls as call where ${which})
    order by id for no key update
  `.execute(tx);
}
