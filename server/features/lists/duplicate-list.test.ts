import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

const LEADS = [
  { website: 'https://one.example', phone: '+1 512-555-0142', place_id: 'place-1', service_area: true },
  { website: 'https://two.example', phone: '+1 217-555-0101', latitude: 39.8, longitude: -89.6 },
  { phone: null },
];
const duplicate = (list_id: string, who = user) => who.call(duplicateListEndpoint, { list_id });
const listsOf = (who: TestUser) => product.db.selectFrom('lists').select('id').where('user_id', '=', who.id).execute();

test('the copy has the leads and what is known of them, and nothing was paid for it', async () => {
  await user.connect('hunter_io', 'sandbox-duplicate');
  await user.connect('searchbug', 'sandbox-duplicate');
  const id = await buildListOf(product.db, user.id, LEADS, { search_params: JSON.stringify({ businessType: 'gym' }) });
  await user.call(enrichEmailsEndpoint, { list_id: id, steps: ['hunter'] });
  await user.call(checkComplianceEndpoint, { list_id: id });
  const calls = await readCalls(product.db, user.id);

  const answer = await duplicate(id);
  expect(answer.name).toBe('Plumbers in Springfield, IL (copy)');
  const [list, copy] = [await readList(product.db, id), await readList(product.db, answer.list_id)];
  expect(list.compliance_cost_micros).toBeGreaterThan(0);
  expect(copy).toEqual({
    ...list,
    id: answer.list_id,
    came_from: [{ name: list.name, how: 'duplicate', at: expect.any(String) }],
    name: answer.name,
    compliance_cost_micros: 0,
    created_at: copy.created_at,
    updated_at: copy.updated_at,
    retention_from: copy.created_at,
  });
  expect(copy.created_at.getTime()).toBeGreaterThan(list.created_at.getTime());

  const [leads, copies] = [await readLeads(product.db, id), await readLeads(product.db, copy.id)];
  expect(leads.some((lead) => lead.compliance_call_id && lead.email_call_id)).toBe(true);
  expect(copies).toEqual(leads.map((lead, i) => ({ ...lead, id: copies[i]?.id, list_id: copy.id })));
  expect(await readCalls(product.db, user.id)).toEqual(calls);
});

test('an archived list becomes an active one; a failed one a finished one', async () => {
  for (const state of [{ lifecycle_status: 'archived', archived_at: new Date() }, { status: 'failed' }]) {
    const { list_id } = await duplicate(await buildListOf(product.db, user.id, LEADS, state));
    const copy = await readList(product.db, list_id);
    expect(copy).toMatchObject({ lifecycle_status: 'active', archived_at: null, status: 'completed', lead_count: 3 });
  }
});

test('a name of full length keeps room for the mark', async () => {
  const { name } = await duplicate(await buildListOf(product.db, user.id, [], { name: '🥐'.repeat(250) }));
  expect(name).toBe(`${'🥐'.repeat(243)} (copy)`);
});

test('a list that is being worked on is refused, and left alone', async () => {
  const other = await product.user();
  const id = await buildListOf(product.db, other.id, LEADS, { status: 'processing' });
  await expect(duplicate(id, other)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This list is still being processed. Duplicate it when that is done.',
  });
  expect(await listsOf(other)).toEqual([{ id }]);
});

test('a copy says whose it is', async () => {
  const id = await buildListOf(product.db, user.id, LEADS, { name: 'The first' });
  const { list_id: copy } = await duplicate(id);
  const { came_from } = await product.db
    .selectFrom('lists')
    .select('came_from')
    .where('id', '=', copy)
    .executeTakeFirstOrThrow();
  expect(came_from).toEqual([{ name: 'The first', how: 'duplicate', at: expect.any(String) }]);
});

test("someone else's list is not found", async () => {
  const other = await product.user();
  const id = await buildListOf(product.db, user.id, LEADS);
  for (const unknown of [id, 'nonsense'])
    await expect(duplicate(unknown, other)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await listsOf(other)).toEqual([]);
});

test('who has as many lists as an account can have is told what to do', async () => {
  const full = await product.user('full');
  const id = await buildListOf(product.db, full.id, LEADS);
  await sql`
    insert into lists (user_id, name) select ${full.id}::uuid, 'List ' || n from generate_series(2, 1000) as n`.execute(
    product.db,
  );
  await expect(duplicate(id, full)).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/1,000 lists.*Delete lists you no longer need/),
  });
  expect(await listsOf(full)).toHaveLength(1_000);
});
