import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';

/** Nothing of a run that ends stays in flight: what was never sent has failed without a charge, what was sent is uncertain. */
export async function endCalls(tx: Tx, runId: string): Promise<void> {
  await sql`
    with ended as (
      update app.paid_calls
      set settled_at = now(),
        state = case state when 'planned' then 'failed' else 'uncertain' end,
        cost_micros = case state when 'planned' then 0 else cost_micros end,
        error_kind = case state when 'planned' then 'not_sent' else 'interrupted' end,
        error_message = case state
          when 'planned' then 'The run ended before this was sent. Nothing was charged.'
          else 'The run ended before the answer came. It may have been charged.'
        end
      where run_id = ${runId} and state in ('planned', 'sent')
      returning id
    )
    select pg_notify('call_settled', id::text) from ended
  `.execute(tx);
}
