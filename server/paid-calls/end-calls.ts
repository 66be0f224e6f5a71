import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';
import { lose } from './adopt-calls.ts';

/** Nothing of a run that ends stays in flight: what was never sent has failed without a charge, what was sent is uncertain. */
export async function endCalls(tx: Tx, runId: string): Promise<void> {
  await sql`
    with unsent as (
      update app.paid_calls
      set state = 'failed', cost_micros = 0, settled_at = now(), error_kind = 'not_sent',
        error_message = 'The run ended before this was sent. Nothing was charged.'
      where run_id = ${runId} and state = 'planned'
      returning id
    )
    select pg_notify('call_settled', id::text) from unsent
  `.execute(tx);
  await lose(tx, runId);
}
