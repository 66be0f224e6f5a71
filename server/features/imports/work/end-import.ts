import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { ImportRecord } from '#server/features/imports/stage/import-row.ts';

/** Ends an import with its list. What is in the list stays; a list with nothing in it goes when the import was canceled. `failure`: why, in words. */
export async function endImport(
  tx: Tx,
  record: ImportRecord,
  state: 'completed' | 'canceled' | 'failed',
  failure: string | null = null,
): Promise<void> {
  await tx
    .updateTable('app.imports')
    .set({ state, failure, finished_at: sql`now()`, lease_owner: null, lease_expires_at: null })
    .where('id', '=', record.id)
    .execute();
  if (record.list_id === null) return;
  if (record.added === 0 && state === 'canceled')
    await tx.deleteFrom('lists').where('id', '=', record.list_id).where('lead_count', '=', 0).execute();
  else await tx.updateTable('lists').set({ status: 'completed' }).where('id', '=', record.list_id).execute();
}
