import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listImportsEndpoint } from '#contract/imports/imports.ts';
import { importFile } from '#test/imports.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

test('an import that fails says why, in plain words', async () => {
  const user = await product.user();
  await sql`
    create function app.refuse_unlucky() returns trigger language plpgsql as $$
    begin if new.business_name = 'Unlucky' then raise check_violation using message = 'a cell: Unlucky'; end if; return new; end $$`.execute(
    product.db,
  );
  await sql`create trigger refuse_unlucky before insert on public.leads for each row execute function app.refuse_unlucky()`.execute(
    product.db,
  );
  try {
    const failed = await importFile(product, user, 'Company,Phone\nLucky,217-555-0101\nUnlucky,217-555-0102\n');
    const failure =
      '0 of 2 rows are done. The database refused a value in the next rows. Undo this import before you import the file again.';
    expect(failed).toMatchObject({ state: 'failed', failure });
    expect((await user.call(listImportsEndpoint)).imports[0]).toMatchObject({ failure });
  } finally {
    await sql`drop trigger refuse_unlucky on public.leads`.execute(product.db);
    await sql`drop function app.refuse_unlucky()`.execute(product.db);
  }
  expect(await importFile(product, user, 'Company\nLucky\n')).toMatchObject({ state: 'completed', failure: null });
});
