import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
});

type Body = BodyOf<typeof exportLeadsEndpoint>;

async function exported(listId: string, body: Partial<Body> = {}, who = user): Promise<string[][]> {
  const response = await send(listId, body, who);
  expect(response.status).toBe(200);
  const lines = (await response.text()).trimEnd().split('\r\n');
  return lines.map((line) => line.split(','));
}

const send = async (listId: string, body: Partial<Body>, who: TestUser) =>
  product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await who.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', ...body }),
  });

const namesOf = (rows: string[][]) => rows.slice(1).map(([name]) => name);

test('choices, filters and selections narrow a file, and leave it its columns', async () => {
  const checked = { compliance_status: 'safe', compliance_checked_at: new Date() };
  const old = new Date(Date.now() - 40 * 86_400_000);
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Plain', phone: '' },
    { business_name: 'Mailed', email: 'a@b.example', ...checked },
    { business_name: 'Owned', owner_name: 'Olive Invented', compliance_status: 'dnc' },
    { business_name: 'Full', email: 'c@d.example', owner_name: 'Max Madeup', email_verified: true },
    { business_name: 'Old', email: 'e@f.example', compliance_status: 'safe', compliance_checked_at: old },
  ]);
  const [head] = await exported(listId);
  expect(head).toEqual(
    'Business Name,Phone,Address,Website,Email,Email Confidence,Owner Name,Title,Email Verified,Phone Type,Compliance Status,Sandbox Data'.split(
      ',',
    ),
  );
  expect(namesOf(await exported(listId))).toEqual(['Plain', 'Mailed', 'Owned', 'Full', 'Old']);
  expect(namesOf(await exported(listId, { filter: 'has_emails' }))).toEqual(['Mailed', 'Full', 'Old']);
  expect(namesOf(await exported(listId, { filter: 'has_contacts' }))).toEqual(['Owned', 'Full']);
  expect(namesOf(await exported(listId, { filter: 'fully_enriched' }))).toEqual(['Full']);
  expect(namesOf(await exported(listId, { compliance: 'clean' }))).toEqual(['Mailed']);
  expect(namesOf(await exported(listId, { matching: { q: 'PLAIN' } }))).toEqual(['Plain']);
  const leads = await readLeads(product.db, listId);
  const [first, second] = [leads[0]?.id ?? '', leads[1]?.id ?? ''];
  const chosen = await exported(listId, { lead_ids: [second, first] });
  expect(namesOf(chosen)).toEqual(['Plain', 'Mailed']);
  expect(chosen[0]).toEqual(head);
  expect(namesOf(await exported(listId, { matching: { has: 'email' }, except: [second] }))).toEqual(['Full', 'Old']);
});

test('a file of several parts has every lead once, in order', async () => {
  const count = 4_500;
  const listId = await buildListOf(
    product.db,
    user.id,
    Array.from({ length: count }, (_, index) => ({ business_name: `Lead ${index}` })),
  );
  expect(namesOf(await exported(listId))).toEqual(Array.from({ length: count }, (_, index) => `Lead ${index}`));
});

test('parts of a file are committed together, and all of them are written down', async () => {
  const count = 4_500;
  const listId = await buildListOf(
    product.db,
    user.id,
    Array.from({ length: count }, (_, index) => ({
      business_name: `Lead ${index}`,
      phone: `+1 512-555-${1_000 + index}`,
    })),
  );
  await exported(listId);
  const { rows } = await sql<{ commits: number }>`
    select sum((facts ->> 'leads')::integer)::integer as leads, sum((facts ->> 'withPhone')::integer)::integer as phones,
      count(*)::integer as parts, count(distinct xmin::text)::integer as commits
    from app.evidence where list_id = ${listId} and kind = 'export.leads'
  `.execute(product.db);
  expect(rows).toEqual([{ leads: count, phones: count, parts: 9, commits: expect.any(Number) }]);
  expect(rows[0]?.commits).toBeLessThan(9);
  const noted = await product.db
    .selectFrom('app.exports')
    .innerJoin('app.export_contacts', 'export_id', 'id')
    .select(['leads', 'part'])
    .where('list_id', '=', listId)
    .orderBy('part')
    .execute();
  expect(noted).toEqual(Array.from({ length: 9 }, (_, part) => ({ leads: count, part })));
});

test("someone else's list is not found, and a lead of another list is not in the file", async () => {
  const other = await product.user();
  const [mine, theirs] = [
    await buildListOf(product.db, user.id, [{ business_name: 'Mine' }]),
    await buildListOf(product.db, other.id, [{ business_name: 'Theirs' }]),
  ];
  expect((await send(theirs, {}, user)).status).toBe(404);
  const [lead] = await readLeads(product.db, theirs);
  expect(namesOf(await exported(mine, { lead_ids: [lead?.id ?? ''] }))).toEqual([]);
});
