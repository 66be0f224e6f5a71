import { csvHead, csvRows } from '#contract/csv.ts';
import type { importErrorsEndpoint } from '#contract/imports/imports.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import type { Input } from '#server/http/route.ts';
import { ownImport } from './stage/import-row.ts';
import { readProblems } from './stage/show-file.ts';

/** Rows read at a time. */
const PAGE = 500;

/**
 * What could not be read of a file, by row.
 * @throws NOT_FOUND
 */
export const exportErrors = (ctx: Ctx, input: Input<typeof importErrorsEndpoint>): Download => ({
  fileName: 'import-errors.csv',
  type: 'text/csv; charset=utf-8',
  parts: partsOf(ctx, input),
});

async function* partsOf(
  { deps: { db }, user }: Ctx,
  { query: { id } }: Input<typeof importErrorsEndpoint>,
): AsyncGenerator<string> {
  const { id: importId } = await ownImport(db, user.userId, id);
  yield csvHead(['Row', 'Column', 'Value', 'Reason']);
  for (let after = 0; ; ) {
    const problems = await readProblems(db, importId, after, PAGE);
    const last = problems.at(-1);
    if (!last) return;
    yield csvRows(problems.map(({ row, column, value, why }) => [String(row), column, value, why]));
    after = last.row;
  }
}
