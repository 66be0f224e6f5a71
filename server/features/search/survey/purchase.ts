import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Selects the runs that buy together with this one: the last search of its list that a person has started, and those that went on by themselves since. */
export const PURCHASE = (runId: string | null) => sql`
  select part.id from app.runs as run join app.runs as part on part.id = run.id or (part.list_id = run.list_id and part.kind = 'search'
    and part.created_at between (
      select max(created_at) from app.runs as first
      where first.list_id = run.list_id and first.kind = 'search' and first.input -> 'unattended' is null
        and first.created_at <= run.created_at
    ) and run.created_at)
  where run.id = ${runId}::uuid`;

/** What a run and those that buy together with it have asked for: with an answer, or with one that may have been charged. */
export const purchaseOf = (runId: string, operation: string) => sql<{ subject: string; state: string }>`
  select call.subject, call.state from app.paid_calls as call
  where call.run_id in (${PURCHASE(runId)}) and call.operation = ${operation} and call.state in ('answered', 'uncertain')`;

/** Selects the leads that were removed from the list of a run since its purchase began, by their ids. */
export const REMOVED = (runId: string | null) => sql`
  select removed.place as id from app.runs as run join app.removed_leads as removed on removed.list_id = run.list_id
  where run.id = ${runId}::uuid
    and removed.removed_at >= (select min(created_at) from app.runs where id in (${PURCHASE(runId)}))`;

export async function readRemoved(db: Db | Tx, runId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`${REMOVED(runId)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
