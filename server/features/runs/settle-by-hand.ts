import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { settleCalls as endpoint } from '#contract/paid-calls.ts';
import type { Tx } from '#db/tx.ts';
import { notFound } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { isUuid, ownRun } from '#server/runs/rows.ts';

/**
 * Settles uncertain calls of the caller as what the provider's own statement says of them: charged at their estimate, or not
 * charged. Their subjects may be bought again. Throws NOT_FOUND, with nothing settled, when the run or a call is not the caller's.
 */
export function settleByHand(
  { deps, user }: Ctx,
  { call_ids: callIds, run_id: runId, charged }: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  return deps.db.transaction().execute(async (tx) => {
    const which = callIds
      ? sql`id = any(${await lockCalls(tx, user.userId, [...new Set(callIds)])}::uuid[])`
      : sql`run_id = ${(await ownRun(tx, user.userId, runId ?? '')).id}`;
    const { rows } = await sql`
      update app.paid_calls
      set state = 'failed', settled_at = now(), settled_by_hand_at = now(),
        cost_micros = case when ${charged}::boolean then estimate_micros else 0 end
      where ${which} and user_id = ${user.userId} and state = 'uncertain'
      returning id
    `.execute(tx);
    return { settled: rows.length };
  });
}

async function lockCalls(tx: Tx, userId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (!ids.every(isUuid)) throw notFound('A call');
  const { rows } = await sql`
    select id from app.paid_calls where id = any(${ids}::uuid[]) and user_id = ${userId} order by id for update
  `.execute(tx);
  if (rows.length < ids.length) throw notFound('A call');
  return ids;
}
