import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { keepImportEndpoint } from '#contract/imports/imports.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { holdGoogles } from '#server/leads/kept-for-good.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { lockOwnList } from '#server/runs/rows.ts';
import { forgetEndedKeeping } from './ended-keeping.ts';
import { ownImport } from './stage/import-row.ts';

/**
 * Keeps the list of an import for good, or lets it be archived as others are.
 * @throws NOT_FOUND, also once the list is deleted.
 * @throws CONFLICT where it holds values of Google, which may not be kept.
 */
export function keepImport(
  { deps: { db }, user }: Ctx,
  { query: { id }, body: { retention } }: Input<typeof keepImportEndpoint>,
): Promise<DataOf<typeof keepImportEndpoint>> {
  return guardedTransaction(db, async (tx) => {
    const { list_id: listId } = await ownImport(tx, user.userId, id);
    if (!listId) throw notFound('The list of this import');
    // Locked first: nothing of Google's comes in behind the look.
    await lockOwnList(tx, user.userId, listId);
    if (retention === 'keep' && (await holdGoogles(tx, sql<boolean>`lead.list_id = ${listId}`)))
      throw new AppError(
        'CONFLICT',
        'This list holds values from Google, and Google lets no one keep them for good. Delete these leads from it first.',
      );
    await tx
      .updateTable('lists')
      .set({ keep: retention === 'keep' })
      .where('id', '=', listId)
      .execute();
    await forgetEndedKeeping(tx, user.userId, listId);
    return { retention };
  });
}
