import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** What is booked for all compliance checks of a list, in micro-dollars, however they ended. */
export async function costOfChecks(db: Db | Tx, listId: string): Promise<number> {
  const { rows } = await sql<{ cost: number }>`
    select coalesce(sum(day.cost_micros), 0)::bigint as cost
    from app.ledger_days as day join app.runs as run on run.id = day.run_id
    where run.list_id = ${listId} and run.kind = 'compliance'
  `.execute(db);
  return rows[0]?.cost ?? 0;
}
