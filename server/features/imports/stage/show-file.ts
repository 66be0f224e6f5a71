import { sql } from 'kysely';
import { type ImportFile, type ImportProblem, PREVIEW_ROWS, SHOWN_PROBLEMS } from '#contract/imports/imports.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { readRow } from '#server/features/imports/values/read-row.ts';
import { columnsOf, fieldIn, type ImportRecord, mappedColumns, mappingOf } from './import-row.ts';

/** A file that waits, as it is shown before its start. */
export async function showFile(db: Db | Tx, record: ImportRecord): Promise<ImportFile> {
  const columns = columnsOf(record);
  const mapping = mappingOf(record);
  return {
    importId: record.id,
    name: record.name,
    rows: record.rows,
    columns,
    mapping: Object.fromEntries(columns.map(({ header, guess }) => [header, fieldIn(mapping, header) ?? guess])),
    remembered: record.remembered,
    importedBefore: await importedBefore(db, record),
    hasHeader: record.has_header,
    encoding: record.encoding,
    delimiter: record.delimiter,
    otherSheets: record.other_sheets as string[],
    duplicates: record.duplicates_found,
    inFile: record.in_file,
    inLists: record.in_lists,
    suppressed: record.suppressed,
    errors: record.errors,
    problems: await readProblems(db, record.id, 0, SHOWN_PROBLEMS),
    preview: await preview(db, record),
  };
}

async function preview(db: Db | Tx, record: ImportRecord): Promise<ImportFile['preview']> {
  const rows = await db
    .selectFrom('app.import_rows')
    .select(['row', 'cells'])
    .where('import_id', '=', record.id)
    .orderBy('row')
    .limit(PREVIEW_ROWS)
    .execute();
  const columns = mappedColumns(columnsOf(record), mappingOf(record));
  return rows.map(({ row, cells }) => {
    const read = readRow(cells as string[], columns);
    return { row, values: read?.values ?? {}, extra: read?.extra ?? {} };
  });
}

async function importedBefore(db: Db | Tx, { id, user_id, sha256 }: ImportRecord): Promise<string | null> {
  if (sha256 === null) return null;
  const before = await db
    .selectFrom('app.imports')
    .select('finished_at')
    .where('user_id', '=', user_id)
    .where('sha256', '=', sha256)
    .where('state', '=', 'completed')
    .where('id', '<>', id)
    .orderBy('finished_at', 'desc')
    .executeTakeFirst();
  return before?.finished_at?.toISOString() ?? null;
}

/** Problems of the rows behind `after`, at most so many rows. */
export async function readProblems(
  db: Db | Tx,
  importId: string,
  after: number,
  most: number,
): Promise<ImportProblem[]> {
  const { rows } = await sql<{ row: number; problems: Omit<ImportProblem, 'row'>[] }>`
    select row, problems from app.import_rows
    where import_id = ${importId} and row > ${after} and problems is not null order by row limit ${most}
  `.execute(db);
  return rows.flatMap(({ row, problems }) => problems.map((problem) => ({ row, ...problem })));
}
