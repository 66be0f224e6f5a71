import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { WHEN_UNCERTAIN } from '#server/paid-calls/operation.ts';

const REPEATABLE = Object.entries(WHEN_UNCERTAIN).flatMap(([name, then]) => (then === 'repeat' ? name : []));

/**
 * Sorts out the calls that a dead process sent for a run without hearing an answer.
 * They are planned again where repeating is free, else uncertain. All stay booked: they may have been charged.
 */
export async function adoptCalls(tx: Tx, runId: string): Promise<void> {
  await sql`
    update app.paid_calls set state = 'planned', maybe_charged = true
    where run_id = ${runId} and state = 'sent' and operation = any(${REPEATABLE})
  `.execute(tx);
  await sql`
    with lost as (
      update app.paid_calls
      set state = 'uncertain', settled_at = now(), error_kind = 'interrupted',
        error_message = 'The work was interrupted before the response came. It may have been charged.'
      where run_id = ${runId} and state = 'sent'
      returning id
    )
    select pg_notify('call_settled', id::text) from lost
  `.execute(tx);
}
