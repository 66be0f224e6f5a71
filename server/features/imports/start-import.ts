import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { DataOf } from '#contract/endpoint.ts';
import type { startImportEndpoint } from '#contract/imports/imports.ts';
import { COMPLETENESS } from '#contract/work/search/completeness.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockActiveUser } from '#server/runs/rows.ts';
import { notWaiting } from './check-import.ts';
import { chosenMapping } from './chosen-mapping.ts';
import { type ImportRecord, lockOwnImport, mappingOf } from './stage/import-row.ts';

/**
 * Makes a list for the rows of a file; workers fill it. It holds real data from the beginning. The same request once more is the same import.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED, and CONFLICT for a file that was discarded, canceled or started with other choices, or
 * with as many lists as one may have.
 */
export function startImport(
  ctx: Ctx,
  { query: { id }, body }: Input<typeof startImportEndpoint>,
): Promise<DataOf<typeof startImportEndpoint>> {
  const { deps, user } = ctx;
  return guardedTransaction(deps.db, async (tx) => {
    await lockActiveUser(tx, user.userId);
    const record = await lockOwnImport(tx, user.userId, id);
    if (record.state !== 'ready') return { listId: startedList(record, body) };
    const mapping = chosenMapping(record, body.mapping);
    const list = await tx
      .insertInto('lists')
      .values({
        user_id: user.userId,
        name: body.listName,
        search_params: '{}',
        status: 'processing',
        sandbox: false,
        tier1_complete: true,
        completeness: COMPLETENESS.tier1,
        keep: body.retention === 'keep',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(orTooManyLists);
    await tx
      .updateTable('app.imports')
      .set({
        state: 'waiting',
        mapping: JSON.stringify(mapping),
        duplicates: body.duplicates,
        retention: body.retention,
        list_id: list.id,
        list_name: body.listName,
        started_at: sql`now()`,
      })
      .where('id', '=', record.id)
      .execute();
    await writeAudit(tx, ctx, { action: 'import.started', target: record.id, details: { rows: record.rows } });
    await sql`select pg_notify('import_waits', ${record.id}::text)`.execute(tx);
    return { listId: list.id };
  });
}

/** Its list, for the same request once more: its first answer may have been lost. */
function startedList(record: ImportRecord, body: Input<typeof startImportEndpoint>['body']): string {
  const { state, list_id: listId, cancel_requested_at: canceled } = record;
  if (!['waiting', 'running', 'completed'].includes(state) || canceled || listId === null) throw notWaiting();
  const isSame =
    record.duplicates === body.duplicates &&
    record.list_name === body.listName &&
    // Imports of before did not write it down.
    (record.retention ?? body.retention) === body.retention &&
    isDeepStrictEqual(mappingOf(record), chosenMapping(record, body.mapping));
  if (!isSame)
    throw new AppError(
      'CONFLICT',
      'This file was imported before with different choices. Undo that import, then choose the file again.',
    );
  return listId;
}

/** The database's own words are for people. */
function orTooManyLists(error: unknown): never {
  if (error instanceof DatabaseError && error.constraint === 'lists_per_person')
    throw new AppError('CONFLICT', error.message, { cause: error });
  throw error;
}
