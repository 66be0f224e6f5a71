import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MOST_IMPORT_ROWS, undoImportEndpoint } from '#contract/imports/imports.ts';
import { importFile, uploadFile } from '#test/imports.ts';
import { readList } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';

const linesOf = (rows: number) => `Company\n${Array.from({ length: rows }, (_, at) => `Invented ${at}\n`).join('')}`;

test('a file of as many rows as may be becomes a list of all of them, and one more row is refused', {
  timeout: 1_800_000,
}, async () => {
  const product = await startProduct();
  const user = await product.user();
  await expect(uploadFile(product, user, linesOf(MOST_IMPORT_ROWS + 1))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'The file has more than 500,000 rows. Import it in parts.',
  });
  const { rows: left } = await sql`
    select from app.import_rows union all select from app.imports union all select from public.leads`.execute(
    product.db,
  );
  expect(left).toEqual([]);
  const done = await importFile(product, user, linesOf(MOST_IMPORT_ROWS), { duplicates: 'add' });
  expect(done).toMatchObject({
    state: 'completed',
    rows: 500_000,
    done: 500_000,
    added: 500_000,
    skipped: 0,
    errors: 0,
  });
  const { rows } = await sql`
    select count(*)::integer as leads, count(distinct business_name)::integer as names,
      count(distinct import_row)::integer as rows, min(import_row) as first, max(import_row) as last
    from public.leads where list_id = ${done.list}`.execute(product.db);
  expect(rows[0]).toEqual({ leads: 500_000, names: 500_000, rows: 500_000, first: 2, last: 500_001 });
  expect(await readList(product.db, done.list)).toMatchObject({ lead_count: 500_000, status: 'completed' });
  expect(await user.call(undoImportEndpoint, undefined, { id: done.id })).toMatchObject({ removed: 500_000 });
});
