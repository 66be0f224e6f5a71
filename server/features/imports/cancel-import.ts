import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { cancelImportEndpoint } from '#contract/imports/imports.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { lockOwnImport } from './stage/import-row.ts';

/**
 * Discards a file that waits. One that is being imported stops behind its present part.
 * @throws NOT_FOUND
 */
export function cancelImport(
  { deps, user }: Ctx,
  { query: { id } }: Input<typeof cancelImportEndpoint>,
): Promise<DataOf<typeof cancelImportEndpoint>> {
  return guardedTransaction(deps.db, async (tx) => {
    const record = await lockOwnImport(tx, user.userId, id);
    if (record.state === 'ready') {
      await tx.deleteFrom('app.imports').where('id', '=', record.id).execute();
      return { canceled: true };
    }
    if (record.state !== 'waiting' && record.state !== 'running') return { canceled: false };
    await tx
      .updateTable('app.imports')
      .set({ cancel_requested_at: sql`coalesce(cancel_requested_at, now())` })
      .where('id', '=', record.id)
      .execute();
    await sql`select pg_notify('import_waits', ${record.id}::text)`.execute(tx);
    return { canceled: true };
  });
}
