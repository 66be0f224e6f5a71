import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '#test/product.ts';
import { suppressedEmails } from './suppressed.ts';

const HELD = [
  ['email', 'Ann.Lee+news@gmail.com'],
  ['email', 'desk@firm.example'],
  ['email', 'info@bücher.example'],
  ['domain', 'https://www.held.example/contact'],
  ['domain', 'branch.chain.example'],
] as const;
const ASKED = [
  ...['annlee@gmail.com', 'a.n.n.lee@googlemail.com', 'ann@gmail.com'],
  ...['Desk@FIRM.example', '<desk@firm.example>', 'other@firm.example', 'desk@www.firm.example'],
  ...['info@xn--bcher-kva.example', 'x@held.example', 'x@mail.held.example', 'x@notheld.example', 'held.example'],
  ...[
    'x@chain.example',
    'x@branch.chain.example',
    'x@a.branch.chain.example',
    'x@example',
    '',
    'no address',
    'a@b@held.example',
  ],
];

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

test('many addresses are looked up at once, and held back by the keys that a lead has', async () => {
  expect(await suppressedEmails(product.db, ASKED)).toEqual(new Set());
  for (const [kind, value] of HELD)
    await sql`insert into app.suppressions (kind, key, source) values (${kind}, app.suppression_key(${kind}, ${value}), 'hand')`.execute(
      product.db,
    );
  const { rows } = await sql<{ email: string }>`
    select email from unnest(${ASKED}::text[]) as one (email)
    where exists (select from app.suppressions where key = any(app.contact_keys(null, email, null, null, null)))
  `.execute(product.db);
  expect(rows).toHaveLength(9);
  await product.db.transaction().execute(async (tx) => {
    await sql`set local track_functions = 'pl'`.execute(tx);
    expect(await suppressedEmails(tx, ASKED)).toEqual(new Set(rows.map(({ email }) => email)));
    const { rows: calls } = await sql<{ calls: string | null }>`
      select pg_stat_get_xact_function_calls('app.contact_keys'::regproc) as calls
    `.execute(tx);
    expect(Number(calls[0]?.calls ?? 0)).toBe(0);
  });
});
