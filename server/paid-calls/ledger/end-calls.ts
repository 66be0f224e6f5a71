import { type RawBuilder, sql } from 'kysely';
import { KEPT } from '#db/connection/kept-statements.ts';

/**
 * Returns the statement that leaves no call in flight of a run that has ended in this transaction.
 * - Calls that were never sent have failed without a charge.
 * - Sent ones are uncertain, even those about to be sent again.
 */
export const endingCalls = (runId: string): RawBuilder<unknown> => sql`
  ${KEPT} with ended as (
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
      and exists (select from app.runs where id = ${runId} and state not in ('queued', 'running') and finished_at = now())
    returning id
  )
  select pg_notify('call_settled', id::text) from ended`;
