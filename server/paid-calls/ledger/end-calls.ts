import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/**
 * Leaves nothing of an ending run in flight. Calls never sent have failed without a charge.
 * Sent ones are uncertain, also those about to be sent again.
 */
export async function endCalls(tx: Tx, runId: string): Promise<void> {
  await sql`
    with ended as (
      update app.paid_calls
      set settled_at = now(),
        state = case when state = 'sent' or maybe_charged then 'uncertain' else 'failed' end,
        cost_micros = case when state = 'sent' or maybe_charged then cost_micros else 0 end,
        error_kind = case when state = 'sent' or maybe_charged then 'interrupted' else 'not_sent' end,
        error_message = case
          when state = 'sent' or maybe_charged then 'The run ended before the answer came. It may have been charged.'
          else 'The run ended before this was sent. Nothing was charged.'
        end
      where run_id = ${runId} and state in ('planned', 'sent')
      returning id
    )
    select pg_notify('call_settled', id::text) from ended
  `.execute(tx);
}
