import { type RawBuilder, sql } from 'kysely';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** How many leads an open search of a list may still add. Work that queues behind it covers them too. */
export async function leadsToCome(db: Db | Tx, listId: string): Promise<number> {
  const { rows } = await sql<{ leads: number }>`select ${leadsComing(listId)} as leads`.execute(db);
  return rows[0]?.leads ?? 0;
}

/** The same as a value. A search of a whole area brings what its survey has found so far; one that is being canceled brings no more. */
export const leadsComing = (listId: string): RawBuilder<number> => sql<number>`coalesce((
    select greatest(0, case when run.input ->> 'maxResults' = ${ALL_RESULTS}
      then (select count(*)::integer from app.list_surveys join app.survey_places using (survey_id) where list_id = list.id)
      else (run.input ->> 'maxResults')::integer end - list.lead_count)
    from app.runs as run join public.lists as list on list.id = run.list_id
    where run.list_id = ${listId} and run.kind = 'search' and run.state in ('queued', 'running')
      and run.cancel_requested_at is null
    limit 1), 0)`;
