import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { MOST_IMPORT_ROWS, undoImportEndpoint } from '#contract/imports/imports.ts';
import { importFile, uploadFile } from '#test/imports.ts';
import { readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** With MOST_ROWS=1 as many as may be, which takes five minutes. */
const ROWS = process.env.MOST_ROWS ? MOST_IMPORT_ROWS : 50_000;

const linesOf = (rows: number) => `Company\n${Array.from({ length: rows }, (_, at) => `Invented ${at}\n`).join('')}`;

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

test('one row more than may be is refused, and nothing of the file stays', { timeout: 600_000 }, async () => {
  await expect(uploadFile(product, user, linesOf(MOST_IMPORT_ROWS + 1))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'The file has more than 500,000 rows. Import it in parts.',
  });
  const { rows: left } = await sql`
    select from app.import_rows union all select from app.imports union all select from public.leads`.execute(
    product.db,
  );
  expect(left).toEqual([]);
});

test('a file of very many rows becomes a list of all of them, and is undone', { timeout: 1_800_000 }, async () => {
  const done = await importFile(product, user, linesOf(ROWS), { duplicates: 'add' });
  expect(done).toMatchObject({ state: 'completed', rows: ROWS, done: ROWS, added: ROWS, skipped: 0, errors: 0 });
  const { rows } = await sql`
    select count(*)::integer as leads, count(distinct business_name)::integer as names,
      count(distinct import_row)::integer as rows, min(import_row) as first, max(import_row) as last
    from public.leads where list_id = ${done.list}`.execute(product.db);
  expect(rows[0]).toEqual({ leads: ROWS, names: ROWS, rows: ROWS, first: 2, last: ROWS + 1 });
  expect(await readList(product.db, done.list)).toMatchObject({ lead_count: ROWS, status: 'completed' });
  const { rows: known } = await sql<{ leads: number }>`
    select reltuples as leads from pg_catalog.pg_class where oid = 'public.leads'::regclass`.execute(product.db);
  expect(known[0]?.leads, 'PostgreSQL knows of most of them').toBeGreaterThanOrEqual(ROWS / 2);
  expect(await user.call(undoImportEndpoint, undefined, { id: done.id })).toMatchObject({ removed: ROWS });
});
