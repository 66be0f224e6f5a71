import type { DataOf } from '#contract/endpoint.ts';
import type { getImportEndpoint, listImportsEndpoint } from '#contract/imports/imports.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { countFilledSince } from './filled-since.ts';
import { ownImport } from './stage/import-row.ts';
import { showFile } from './stage/show-file.ts';
import { showImport } from './stage/show-import.ts';

const SHOWN = 100;

/** The caller's imports, the newest first. Files that are still being read are left out. */
export async function listImports({ deps: { db }, user }: Ctx): Promise<DataOf<typeof listImportsEndpoint>> {
  const records = await db
    .selectFrom('app.imports as import')
    .leftJoin('lists as list', 'list.id', 'import.list_id')
    .selectAll('import')
    .select('list.keep')
    .where('import.user_id', '=', user.userId)
    .where('import.state', '<>', 'reading')
    .orderBy('import.created_at', 'desc')
    .limit(SHOWN)
    .execute();
  return { imports: records.map(({ keep, ...record }) => showImport(record, keep ?? false)) };
}

/**
 * One of them, with its file while that waits.
 * @throws NOT_FOUND
 */
export async function getImport(
  { deps: { db }, user }: Ctx,
  { query: { id } }: Input<typeof getImportEndpoint>,
): Promise<DataOf<typeof getImportEndpoint>> {
  const record = await ownImport(db, user.userId, id);
  const list = record.list_id
    ? await db.selectFrom('lists').select('keep').where('id', '=', record.list_id).executeTakeFirst()
    : undefined;
  const file = record.state === 'ready' ? await showFile(db, record) : null;
  return { ...showImport(record, list?.keep ?? false), file, filledSince: await countFilledSince(db, record) };
}
