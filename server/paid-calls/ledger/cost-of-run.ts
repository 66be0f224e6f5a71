import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** What is booked for a run, in micro-dollars; calls that are sent or uncertain count at their estimate. */
export async function costOfRun(db: Db | Tx, runId: string): Promise<number> {
  const { rows } = await sql<{ cost: number }>`
    select coalesce(sum(cost_micros), 0)::bigint as cost from app.ledger_days where run_id = ${runId}
  `.execute(db);
  return rows[0]?.cost ?? 0;
}
