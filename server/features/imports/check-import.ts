import { isDeepStrictEqual } from 'node:util';
import type { checkImportEndpoint, ImportFile } from '#contract/imports/imports.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { chosenMapping } from './chosen-mapping.ts';
import { countRows } from './stage/count-rows.ts';
import { holdErasure } from './stage/hold-erasure.ts';
import { columnsOf, lockOwnImport, mappedColumns } from './stage/import-row.ts';
import { showFile } from './stage/show-file.ts';
import { keyAgain } from './stage/stage-rows.ts';

/**
 * Reads a file that waits with another mapping.
 * @throws NOT_FOUND, CONFLICT once it was started, VALIDATION_FAILED.
 */
export function checkImport(
  { deps, user }: Ctx,
  { query: { id }, body }: Input<typeof checkImportEndpoint>,
): Promise<ImportFile> {
  // The whole of it is one change: no one sees keys of two mappings.
  return deps.db.transaction().execute(async (tx) => {
    await holdErasure.execute(tx);
    const record = await lockOwnImport(tx, user.userId, id);
    if (record.state !== 'ready') throw notWaiting();
    const mapping = chosenMapping(record, body.mapping);
    const columns = mappedColumns(columnsOf(record), mapping);
    if (isDeepStrictEqual(record.keyed_by, mapping)) return showFile(tx, { ...record, mapping });
    let errors = 0;
    for (let after = 0; ; ) {
      const page = await keyAgain(tx, record.id, columns, after);
      if (page.rows === 0) break;
      errors += page.errors;
      after = page.last;
    }
    const text = JSON.stringify(mapping);
    const changed = await tx
      .updateTable('app.imports')
      .set({ mapping: text, keyed_by: text, remembered: false, errors, ...(await countRows(tx, record)) })
      .where('id', '=', record.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return showFile(tx, changed);
  });
}

export const notWaiting = (): AppError =>
  new AppError('CONFLICT', 'This file was started or discarded. Choose it again to import it again.');
