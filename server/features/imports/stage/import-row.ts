import type { Selectable } from 'kysely';
import type { ImportField } from '#contract/imports/fields.ts';
import type { ImportColumn } from '#contract/imports/imports.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { MappedColumn } from '#server/features/imports/values/read-row.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';

export type ImportRecord = Selectable<DB['app.imports']>;
export type Mapping = Readonly<Record<string, ImportField>>;

/**
 * The caller's import.
 * @throws NOT_FOUND for one that is someone else's, or never was.
 */
export async function ownImport(db: Db | Tx, userId: string, id: string): Promise<ImportRecord> {
  return (await query(db, userId, id)?.executeTakeFirst()) ?? refuse();
}

/** The same, locked until the transaction ends. Taken after its list. */
export async function lockOwnImport(tx: Tx, userId: string, id: string): Promise<ImportRecord> {
  return (await query(tx, userId, id)?.forUpdate().executeTakeFirst()) ?? refuse();
}

const query = (db: Db | Tx, userId: string, id: string) =>
  isUuid(id) ? db.selectFrom('app.imports').selectAll().where('id', '=', id).where('user_id', '=', userId) : undefined;

function refuse(): never {
  throw notFound('This import');
}

/** Its columns, as they were written. */
export const columnsOf = ({ columns }: Pick<ImportRecord, 'columns'>): ImportColumn[] => columns as ImportColumn[];
export const mappingOf = ({ mapping }: Pick<ImportRecord, 'mapping'>): Mapping => mapping as Mapping;

/** What a mapping says of a header. A header may be called as what every object has, such as "constructor". */
export const fieldIn = (mapping: Mapping, header: string): ImportField | undefined =>
  Object.hasOwn(mapping, header) ? mapping[header] : undefined;

/** What each column is read as. */
export const mappedColumns = (columns: readonly ImportColumn[], mapping: Mapping): MappedColumn[] =>
  columns.map(({ header, guess }) => ({ header, field: fieldIn(mapping, header) ?? guess }));
