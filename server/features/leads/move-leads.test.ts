import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { listRunsEndpoint } from '#contract/work/runs.ts';
import { buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

const lead = (name: string, more: object = {}) => ({ business_name: name, place_id: `place ${name}`, ...more });
const build = (names: string[], list: object = {}) =>
  buildListOf(
    product.db,
    user.id,
    names.map((name) => lead(name)),
    list,
  );
const namesIn = async (listId: string) => (await readLeads(product.db, listId)).map((one) => one.business_name);
const copy = (listId: string, body: Parameters<typeof user.call<typeof copyLeadsEndpoint>>[1], who = user) =>
  who.call(copyLeadsEndpoint, body, { listId });

test('some leads are copied to a new list, and the first one keeps them', async () => {
  const email = 'a@b.example';
  const listId = await buildListOf(product.db, user.id, [lead('A', { email }), lead('B'), lead('C')], {
    tier2_complete: true,
    compliance_checked: true,
  });
  const { list_id, ...answer } = await copy(listId, { matching: { has: 'email' }, to: { name: ' Mailed ' } });
  expect(answer).toEqual({ name: 'Mailed', copied: 1, skipped: 0 });
  expect(await readList(product.db, list_id)).toMatchObject({
    name: 'Mailed',
    status: 'completed',
    lead_count: 1,
    has_emails: true,
    tier2_complete: true,
    compliance_checked: true,
    sandbox: true,
  });
  expect(await readLeads(product.db, list_id)).toMatchObject([{ business_name: 'A', email, position: 0 }]);
  expect(await namesIn(listId)).toEqual(['A', 'B', 'C']);
});

test('leads are moved behind those of another list, which is then only what both were', async () => {
  const [from, to] = [
    await build(['A', 'B', 'C'], { compliance_checked: true, tier2_complete: true }),
    await build(['X', 'B'], { tier2_complete: true, completeness: 65 }),
  ];
  const ids = (await readLeads(product.db, from)).slice(1).map(({ id }) => id);
  expect(await copy(from, { lead_ids: ids, to: { list_id: to }, remove: true })).toMatchObject({
    copied: 1,
    skipped: 1,
  });
  expect(await namesIn(from)).toEqual(['A']);
  expect(await namesIn(to)).toEqual(['X', 'B', 'C']);
  expect((await readList(product.db, from)).lead_count).toBe(1);
  expect(await readList(product.db, to)).toMatchObject({
    lead_count: 3,
    tier2_complete: true,
    compliance_checked: false,
  });
});

test('two people’s presses at once put each lead there once', async () => {
  const [one, other] = [await build(['A', 'B']), await build(['C', 'D'])];
  await Promise.all([
    ...[1, 2, 3].map(() => copy(one, { to: { list_id: other } })),
    ...[1, 2, 3].map(() => copy(other, { to: { list_id: one } })),
  ]);
  for (const id of [one, other]) {
    expect((await namesIn(id)).toSorted()).toEqual(['A', 'B', 'C', 'D']);
    expect((await readList(product.db, id)).lead_count).toBe(4);
  }
});

test('leads are deleted, and the others keep their order', async () => {
  const listId = await build(['A', 'B', 'C', 'D']);
  const [first] = await readLeads(product.db, listId);
  const choice = { matching: { q: 'a' }, except: [first?.id ?? ''] };
  expect(await user.call(deleteLeadsEndpoint, choice, { listId })).toEqual({ deleted: 0 });
  expect(await user.call(deleteLeadsEndpoint, { lead_ids: [first?.id ?? ''] }, { listId })).toEqual({ deleted: 1 });
  expect(await namesIn(listId)).toEqual(['B', 'C', 'D']);
  expect((await readList(product.db, listId)).lead_count).toBe(3);
});

test('what may not be is refused with words, and changes nothing', async () => {
  const listId = await build(['A']);
  const busy = await build(['B'], { status: 'processing' });
  const archived = await build(['C'], { lifecycle_status: 'archived', archived_at: new Date() });
  const real = await build(['D'], { sandbox: false });
  const other = await product.user();
  const theirs = await buildListOf(product.db, other.id, [lead('E')]);
  for (const [to, status, message] of [
    [listId, 409, 'The leads are in this list already'],
    [busy, 409, 'is still being processed'],
    [archived, 409, 'is archived. Restore it first.'],
    [real, 409, 'Sandbox leads and real leads cannot share a list'],
    [theirs, 404, 'This list'],
  ] as const)
    await expect(copy(listId, { to: { list_id: to } })).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
  await expect(copy(busy, { to: { list_id: listId } })).rejects.toMatchObject({ status: 409 });
  await expect(copy(theirs, { to: { list_id: listId } })).rejects.toMatchObject({ status: 404 });
  await expect(copy(listId, { to: { name: '  ' } })).rejects.toMatchObject({ status: 422 });
  await expect(user.call(deleteLeadsEndpoint, {}, { listId: busy })).rejects.toMatchObject({ status: 409 });
  await expect(user.call(deleteLeadsEndpoint, {}, { listId: theirs })).rejects.toMatchObject({ status: 404 });
  for (const id of [listId, busy, archived, real, theirs]) expect(await namesIn(id)).toHaveLength(1);
});

test('only chosen leads are enriched, and the list is not called enriched for it', async () => {
  await user.connect('hunter_io', 'sandbox-chosen');
  const listId = await buildListOf(
    product.db,
    user.id,
    Array.from({ length: 6 }, (_, index) => lead(`Shop ${index}`, { website: `https://chosen${index}.example` })),
  );
  await user.call(enrichEmailsEndpoint, { list_id: listId, matching: { q: 'shop 1' }, steps: ['hunter'] });
  expect((await readCalls(product.db, user.id)).map(({ subject }) => subject)).toEqual(['chosen1.example']);
  expect((await readList(product.db, listId)).tier2_complete).toBe(false);
  const run = await product.db.selectFrom('app.runs').select('input').where('list_id', '=', listId).executeTakeFirst();
  expect(run?.input).toEqual({ leadIds: [(await readLeads(product.db, listId))[1]?.id], steps: ['hunter'] });
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  expect((await readList(product.db, listId)).tier2_complete).toBe(true);
});

test('a list is merged into another, which says so, and is archived', async () => {
  const from = await buildListOf(
    product.db,
    user.id,
    [
      lead('A'),
      lead('Shared'),
      { business_name: 'Other name', phone: '+1 (217) 555-0101' },
      { business_name: 'Acme, Inc.', website: 'https://www.acme.example/about' },
      { business_name: 'Beta', website: 'https://www.acme.example/' },
    ],
    { name: 'From here' },
  );
  const to = await buildListOf(product.db, user.id, [
    lead('Shared'),
    lead('Called', { phone: '217-555-0101' }),
    lead('ACME', { website: 'http://acme.example' }),
  ]);
  expect(await copy(from, { to: { list_id: to }, archive: true })).toMatchObject({ copied: 2, skipped: 3 });
  expect(await namesIn(to)).toEqual(['Shared', 'Called', 'ACME', 'A', 'Beta']);
  expect(await readList(product.db, from)).toMatchObject({ lifecycle_status: 'archived', lead_count: 5 });
  const { came_from } = await readList(product.db, to);
  expect(came_from).toEqual([{ name: 'From here', how: 'merge', at: expect.any(String) }]);
  for (const wrong of [{ matching: { q: 'a' } }, { remove: true }, { to: { name: 'New' } }])
    await expect(copy(to, { to: { list_id: from }, archive: true, ...wrong })).rejects.toMatchObject({ status: 422 });
});

test('more leads than may be named are enriched by a filter, and Retry means exactly these', {
  timeout: 60_000,
}, async () => {
  const rich = await product.user();
  await rich.connect('hunter_io', 'sandbox-many');
  const listId = await buildListOf(product.db, rich.id, [
    { business_name: 'First', website: 'https://first-of-many.example' },
  ]);
  await sql`
    insert into leads (list_id, position, business_name, website)
    select ${listId}, n, 'Chosen ' || n, 'https://first-of-many.example/' || n from generate_series(1, 10500) as n
  `.execute(product.db);
  const choice = { list_id: listId, matching: { q: 'chosen' }, steps: ['hunter' as const] };
  expect(await rich.call(estimateEnrichmentEndpoint, choice)).toMatchObject({ leads: 10_500, toLookUp: 1 });
  await rich.call(enrichEmailsEndpoint, { ...choice, steps: ['hunter'] });
  expect(await rich.call(estimateEnrichmentEndpoint, { list_id: listId, matching: {} })).toMatchObject({
    leads: 10_501,
  });
  await product.db.updateTable('app.runs').set({ state: 'failed' }).where('list_id', '=', listId).execute();
  const { runs } = await rich.call(listRunsEndpoint, undefined, { list_id: listId });
  expect(runs).toMatchObject([{ leadCount: 10_500 }]);
  expect(runs[0]?.leadIds).toBeUndefined();
  await sql`insert into leads (list_id, position, business_name) values (${listId}, 99999, 'Chosen too late')`.execute(
    product.db,
  );
  const again = { list_id: listId, of_run: runs[0]?.id ?? '' };
  expect(await rich.call(estimateEnrichmentEndpoint, again)).toMatchObject({ leads: 10_500, known: 1 });
  const theirs = await buildListOf(product.db, user.id, [lead('Theirs')]);
  await expect(user.call(estimateEnrichmentEndpoint, { ...again, list_id: theirs })).rejects.toMatchObject({
    status: 422,
  });
});

test('an estimate says which leads stand in other lists, of the same kind of data', async () => {
  const one = await product.user();
  await one.connect('hunter_io', 'sandbox-elsewhere');
  const leads = [
    lead('Place'),
    { business_name: 'Phone', phone: '(217) 555-0142' },
    { business_name: 'Site', website: 'https://shop.elsewhere.example/x' },
    { business_name: 'Social', website: 'https://facebook.com/one' },
    lead('Nowhere'),
  ];
  const listId = await buildListOf(product.db, one.id, leads);
  const estimate = () => one.call(estimateEnrichmentEndpoint, { list_id: listId });
  expect(await estimate()).toMatchObject({ leads: 5, elsewhere: 0 });
  await buildListOf(product.db, one.id, [lead('Nowhere')], { sandbox: false });
  await buildListOf(product.db, one.id, [
    lead('Place'),
    { business_name: 'Else', phone: '+1 217 555 0142' },
    { business_name: 'More', website: 'http://www.elsewhere.example' },
    { business_name: 'Other', website: 'https://facebook.com/two' },
  ]);
  expect(await estimate()).toMatchObject({ leads: 5, elsewhere: 3 });
  expect(await one.call(estimateComplianceEndpoint, { list_id: listId })).toMatchObject({ elsewhere: 2 });
});
