import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { RunContext } from './run-context.ts';

/** Sets some of a run's totals and leaves the others; only while `owner` holds the run. */
export async function setTotals(
  db: Db | Tx,
  { run, owner }: Pick<RunContext, 'run' | 'owner'>,
  totals: Readonly<Record<string, number>>,
): Promise<void> {
  await sql`
    update app.runs set totals = totals || ${JSON.stringify(totals)}::jsonb, progressed_at = now()
    where id = ${run.id} and lease_owner = ${owner}
  `.execute(db);
}

/** Adds to some of a run's totals. In the transaction that did the counted thing, so that a crash can not miscount. */
export async function addToTotals(tx: Tx, runId: string, more: Readonly<Record<string, number>>): Promise<void> {
  await sql`
    update app.runs set progressed_at = now(), totals = totals || (
      select jsonb_object_agg(key, coalesce((totals ->> key)::bigint, 0) + value::bigint)
      from jsonb_each_text(${JSON.stringify(more)}::jsonb)
    ) where id = ${runId}
  `.execute(tx);
}
