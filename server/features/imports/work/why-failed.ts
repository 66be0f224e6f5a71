import type { ImportRecord } from '#server/features/imports/stage/import-row.ts';

/** PostgreSQL's classes of errors, and what they mean to the owner of a file. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^53/, 'The server has no room left for it.'],
  [/^(?:22|23|54)/, 'The database refused a value in the next rows.'],
];
const UNKNOWN = 'Something went wrong on our side.';

/** Why an import failed, in words for its owner: the database's own words may hold cells of the file. */
export function whyFailed({ done, rows }: Pick<ImportRecord, 'done' | 'rows'>, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const cause = CAUSES.find(([codes]) => codes.test(code))?.[1] ?? UNKNOWN;
  const count = (rowCount: number) => rowCount.toLocaleString('en-US');
  return `${count(done)} of ${count(rows)} rows are done. ${cause} Undo this import before you import the file again.`;
}
