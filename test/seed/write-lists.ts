import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import { chunks } from '#server/lib/chunks.ts';
import { seedId } from './ids.ts';
import type { SeedLead } from './leads.ts';
import { runRows, type SeedRun } from './runs.ts';

/** A list to put into the database. `key` tells it from the others and stays the same when the rest changes. */
export type SeedList = {
  key: string;
  list: Omit<Insertable<DB['lists']>, 'id' | 'user_id' | 'created_at'> & { created_at: Date };
  leads: readonly SeedLead[];
  runs: readonly SeedRun[];
};

/** PostgreSQL takes at most 65,535 parameters in one statement. */
const ROWS_AT_ONCE = 2_000;

/** Writes each list with its leads, runs and ledger; one that was seeded before is replaced as a whole. */
export async function writeLists(db: Db, userId: string, lists: readonly SeedList[]): Promise<void> {
  for (const { key, list, leads, runs } of lists)
    await db.transaction().execute(async (tx) => {
      const listId = seedId(`list ${key}`);
      await deleteRuns(tx, sql`list_id = ${listId}`);
      await tx.deleteFrom('lists').where('id', '=', listId).execute();
      await tx
        .insertInto('lists')
        .values({ lead_count: leads.length, sandbox: true, ...list, ...clocks(list), id: listId, user_id: userId })
        .execute();
      const rows = leads.map((lead, position) => ({ ...lead, list_id: listId, position }));
      for (const some of chunks(rows, ROWS_AT_ONCE)) await tx.insertInto('leads').values(some).execute();
      for (const seeded of runs) {
        const owner = { userId, listId, listName: list.name, createdAt: list.created_at };
        const { run, calls } = runRows(owner, seeded);
        await deleteRuns(tx, sql`id = ${run.id}`);
        await tx.insertInto('app.runs').values(run).execute();
        if (calls.length > 0) await tx.insertInto('app.paid_calls').values(calls).execute();
      }
    });
}

/** What no product does. Calls that count for nothing first, so that the sums of their user lose them. */
async function deleteRuns(tx: Tx, which: RawBuilder<boolean>): Promise<void> {
  await sql`
    update app.paid_calls set state = 'planned', cost_micros = 0 where run_id in (select id from app.runs where ${which})
  `.execute(tx);
  await sql`delete from app.runs where ${which}`.execute(tx);
}

const clocks = ({ created_at }: SeedList['list']) => ({
  created_at,
  retention_from: created_at,
  updated_at: created_at,
});
