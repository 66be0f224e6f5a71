import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { settleCalls as endpoint } from '#contract/paid-calls.ts';
import { notFound } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { isUuid } from '#server/runs/rows.ts';

/**
 * Settles uncertain calls of the caller as what the provider's own statement says of them: charged at their estimate, or not
 * charged. Their subjects may be bought again. Throws NOT_FOUND, with nothing settled, when a call is not the caller's.
 */
export async function settleByHand(
  { deps, user }: Ctx,
  { call_ids: callIds, charged }: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  const ids = [...new Set(callIds)];
  if (!ids.every(isUuid)) throw notFound('A call');
  return deps.db.transaction().execute(async (tx) => {
    const { rows: own } = await sql<{ state: string }>`
      select state from app.paid_calls where id = any(${ids}::uuid[]) and user_id = ${user.userId}
      order by id for update
    `.execute(tx);
    if (own.length < ids.length) throw notFound('A call');
    const { rows: settled } = await sql`
      update app.paid_calls
      set state = 'failed', settled_at = now(), settled_by_hand_at = now(),
        cost_micros = case when ${charged}::boolean then estimate_micros else 0 end
      where id = any(${ids}::uuid[]) and state = 'uncertain'
      returning id
    `.execute(tx);
    return { settled: settled.length };
  });
}
