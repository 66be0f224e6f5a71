import type { DataOf } from '#contract/endpoint.ts';
import type { keepImportEndpoint } from '#contract/imports/imports.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { notFound } from '#server/lib/app-error.ts';
import { ownImport } from './stage/import-row.ts';

/**
 * Keeps the list of an import for good, or lets it be archived as others are.
 * @throws NOT_FOUND, also once the list is deleted.
 */
export async function keepImport(
  { deps: { db }, user }: Ctx,
  { query: { id }, body: { retention } }: Input<typeof keepImportEndpoint>,
): Promise<DataOf<typeof keepImportEndpoint>> {
  const { list_id: listId } = await ownImport(db, user.userId, id);
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
