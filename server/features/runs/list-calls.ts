import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import { CALL_STATES, type listCallsEndpoint, OPERATIONS, type PaidCall } from '#contract/money/paid-calls.ts';
import type { Ctx } from '#server/http/context.ts';
import { SHOWN_STATE } from '#server/paid-calls/ledger/shown-state.ts';
import { isUuid, ownRun } from '#server/runs/rows.ts';

const PAGE = 50;

/** When a call was sent; one that was not comes after those that were. */
const SENT = sql`coalesce(sent_at, '-infinity')`;

/**
 * A page of a run's calls, those sent last first; empty after a call that is not the run's.
 * @throws NOT_FOUND for someone else's run.
 */
export async function listCalls(
  { deps, user }: Ctx,
  { id, state, after }: z.output<typeof listCallsEndpoint.query>,
): Promise<DataOf<typeof listCallsEndpoint>> {
  const run = await ownRun(deps.db, user.userId, id);
  if (after !== undefined && !isUuid(after)) return { calls: [], next: null };
  const { rows } = await sql<CallRow>`
    select id, operation, subject, ${SHOWN_STATE} as state, attempts, cost_micros, error_message, planned_at, sent_at, settled_at,
      settled_by_hand_at
    from app.paid_calls
    where run_id = ${run.id} and (${state ?? null}::text is null or ${SHOWN_STATE} = ${state ?? null})
      and (${after ?? null}::uuid is null or (${SENT}, planned_at, id) < (
        select ${SENT}, planned_at, id from app.paid_calls where id = ${after ?? null} and run_id = ${run.id}
      ))
    order by ${SENT} desc, planned_at desc, id desc limit ${PAGE + 1}
  `.execute(deps.db);
  const calls = rows.slice(0, PAGE).map(toCall);
  return { calls, next: rows.length > PAGE ? (calls.at(-1)?.id ?? null) : null };
}

type CallRow = {
  id: string;
  operation: string;
  subject: string;
  state: string;
  attempts: number;
  cost_micros: number;
  error_message: string | null;
  planned_at: Date;
  sent_at: Date | null;
  settled_at: Date | null;
  settled_by_hand_at: Date | null;
};

function toCall(row: CallRow): PaidCall {
  return {
    id: row.id,
    operation: OPERATIONS.find((name) => name === row.operation) ?? 'locate',
    subject: row.subject,
    state: CALL_STATES.find((state) => state === row.state) ?? 'failed',
    attempts: row.attempts,
    costMicros: row.cost_micros,
    errorMessage: row.error_message,
    plannedAt: row.planned_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    settledAt: row.settled_at?.toISOString() ?? null,
    settledByHandAt: row.settled_by_hand_at?.toISOString() ?? null,
  };
}
