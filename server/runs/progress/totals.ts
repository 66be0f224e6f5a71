import { type RawBuilder, sql } from 'kysely';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { RunContext } from '#server/runs/run-context.ts';

type Totals = Readonly<Record<string, number>>;
type Holder = Pick<RunContext, 'run' | 'owner'>;

/** Sets some of a run's totals and leaves the others; only while `owner` holds the run. */
export async function setTotals(db: Db | Tx, holder: Holder, totals: Totals): Promise<void> {
  await settingTotals(holder, totals).execute(db);
}

/** The same, by itself, for totals that are counted again after a crash; they are kept once the end of the run is. */
export async function showTotals(db: Db, holder: Holder, totals: Totals): Promise<void> {
  await sql`${settingTotals(holder, totals)} and ${asyncCommit}`.execute(db);
}

/** The same as a statement, to be sent with another. */
export const settingTotals = ({ run, owner }: Holder, totals: Totals): RawBuilder<unknown> => sql`
  ${KEPT} update app.runs set totals = totals || ${JSON.stringify(totals)}::jsonb, progressed_at = now()
  where id = ${run.id} and lease_owner = ${owner}`;

/** Adds to some of a run's totals. In the transaction that did the counted thing, so that a crash cannot miscount. */
export async function addToTotals(tx: Tx, runId: string, more: Readonly<Record<string, number>>): Promise<void> {
  await sql`
    update app.runs set progressed_at = now(), totals = totals || (
      select jsonb_object_agg(key, coalesce((totals ->> key)::bigint, 0) + value::bigint)
      from jsonb_each_text(${JSON.stringify(more)}::jsonb)
    ) where id = ${runId}
  `.execute(tx);
}
