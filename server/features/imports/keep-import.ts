import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { keepImportEndpoint } from '#contract/imports/imports.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { holdGoogles } from '#server/leads/kept-for-good.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { ownImport } from './stage/import-row.ts';

/**
 * Keeps the list of an import for good, or lets it be archived as others are.
 * @throws NOT_FOUND, also once the list is deleted.
 * @throws CONFLICT where it holds values of Google, which may not be kept.
 */
export async function keepImport(
  { deps: { db }, user }: Ctx,
  { query: { id }, body: { retention } }: Input<typeof keepImportEndpoint>,
): Promise<DataOf<typeof keepImportEndpoint>> {
  const { list_id: listId } = await ownImport(db, user.userId, id);
  if (listId && retention === 'keep' && (await holdGoogles(db, sql<boolean>`lead.list_id = ${listId}`)))
    throw new AppError(
      'CONFLICT',
      'This list holds values of Google, and Google allows no one to keep them for good. Delete these leads from it first.',
    );
  const changed = listId
    ? await db
        .updateTable('lists')
        .set({ keep: retention === 'keep' })
        .where('id', '=', listId)
        .where('user_id', '=', user.userId)
        .returning('id')
        .executeTakeFirst()
    : undefined;
  if (!changed) throw notFound('The list of this import');
  return { retention };
}
