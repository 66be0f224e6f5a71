import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { inParts } from './in-parts.ts';

let product: Product;
let listId: string;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  const user = await product.user();
  listId = await buildListOf(
    product.db,
    user.id,
    Array.from({ length: 5 }, () => ({})),
  );
  // Positions have gaps where leads were deleted.
  await sql`
    insert into public.leads (list_id, position, business_name)
    select ${listId}::uuid, 10 + 2 * n, 'Invented ' || n from generate_series(1, 3995) as n
  `.execute(product.db);
});

const partsOf = async (named?: readonly string[]) => {
  const lengths: number[] = [];
  const positions: number[] = [];
  const parts = inParts(async ({ behind, most }) => {
    const { rows } = await sql<{ position: number }>`
      select lead.position from public.leads as lead
      where lead.list_id = ${listId} and ${named ? sql`lead.id = any(${named}::uuid[])` : sql`true`} and ${behind}
      order by lead.position limit ${most}
    `.execute(product.db);
    return rows;
  }, named);
  for await (const rows of parts) {
    lengths.push(rows.length);
    positions.push(...rows.map(({ position }) => position));
  }
  return { lengths, positions };
};

test('a long list comes in parts, each lead once, in its order; what is full to the last place ends as well', async () => {
  const { lengths, positions } = await partsOf();
  expect(lengths).toEqual([2_000, 2_000]);
  expect(new Set(positions).size).toBe(4_000);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

test('named leads come at once', async () => {
  const rows = await product.db.selectFrom('leads').select('id').where('list_id', '=', listId).execute();
  const named = rows.map(({ id }) => id).slice(0, 3_000);
  expect((await partsOf(named)).lengths).toEqual([3_000]);
  expect((await partsOf([])).lengths).toEqual([]);
});
