import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
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
  expect(answer).toEqual({ name: 'Mailed', copied: 1, skipped: 0, filled: 0, differing: 0 });
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

test('leads that came after a choice are neither deleted nor moved with it', async () => {
  const listId = await build(['A', 'B']);
  const chosen = { matching: {}, count: 2 };
  await copy(await build(['C']), { to: { list_id: listId } });
  const refused = { code: 'CONFLICT', message: expect.stringContaining('3 leads fit it now, and 2') };
  await expect(user.call(deleteLeadsEndpoint, chosen, { listId })).rejects.toMatchObject(refused);
  const move = { ...chosen, to: { name: 'Moved' }, remove: true };
  await expect(copy(listId, move)).rejects.toMatchObject(refused);
  expect(await namesIn(listId)).toEqual(['A', 'B', 'C']);
  const ids = (await readLeads(product.db, listId)).map(({ id }) => id);
  const without = { matching: {}, except: ids.slice(2), count: 2 };
  expect(await user.call(deleteLeadsEndpoint, without, { listId })).toEqual({ deleted: 2 });
});

test('as many other leads as were chosen are neither deleted nor moved', async () => {
  const listId = await build(['A', 'B', 'C']);
  const matching = { lacks: 'email' };
  const mail = (name: string, email: string | null) =>
    product.db.updateTable('leads').set({ email }).where('list_id', '=', listId).where('business_name', '=', name);
  await mail('C', 'c@sent.example').execute();
  const { leads: count, digest } = await user.call(countLeadsEndpoint, { matching }, { listId });
  expect(count).toBe(2);
  await mail('A', 'a@sent.example').execute();
  await mail('C', null).execute();
  const chosen = { matching, count, digest };
  const refused = { code: 'CONFLICT', message: expect.stringContaining('it fits other leads now') };
  await expect(user.call(deleteLeadsEndpoint, chosen, { listId })).rejects.toMatchObject(refused);
  await expect(copy(listId, { ...chosen, to: { name: 'Moved' }, remove: true })).rejects.toMatchObject(refused);
  expect(await namesIn(listId)).toEqual(['A', 'B', 'C']);
  const now = await user.call(countLeadsEndpoint, { matching }, { listId });
  const [, second] = await readLeads(product.db, listId);
  const without = { matching, except: [second?.id ?? ''], count: 1, digest: now.digest };
  expect(await user.call(deleteLeadsEndpoint, without, { listId })).toEqual({ deleted: 1 });
  expect(await namesIn(listId)).toEqual(['A', 'B']);
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

test('what a lead brings fills the one that is there already, and only then does it leave its list', async () => {
  await user.connect('hunter_io', 'sandbox-filled');
  const shops = Array.from({ length: 6 }, (_, at) => lead(`Shop ${at}`, { website: `https://filled${at}.example` }));
  const [from, to] = [await buildListOf(product.db, user.id, shops), await buildListOf(product.db, user.id, shops)];
  await user.call(enrichEmailsEndpoint, { list_id: from, steps: ['hunter'] });
  const paid = (await readLeads(product.db, from)).filter(({ email }) => email !== null);
  expect(paid.length).toBeGreaterThan(0);
  expect(await copy(from, { matching: { has: 'email' }, to: { list_id: to }, remove: true })).toMatchObject({
    copied: 0,
    skipped: paid.length,
    filled: paid.length,
    differing: 0,
  });
  const there = await readLeads(product.db, to);
  expect(there.map(({ business_name }) => business_name)).toEqual(shops.map(({ business_name }) => business_name));
  for (const { id: _, list_id, created_at, position, ...one } of paid)
    expect(there.find(({ place_id }) => place_id === one.place_id)).toMatchObject(one);
  expect(await readList(product.db, to)).toMatchObject({ has_emails: true, lead_count: 6 });
  expect(await namesIn(from)).toHaveLength(6 - paid.length);
});

test('values keep where they came from, and what the other list has otherwise stays', async () => {
  const checkedAt = new Date('2026-11-20T10:00:00Z');
  const from = await buildListOf(product.db, user.id, [
    lead('From the web', {
      website: 'https://one-of-them.example',
      email: 'info@one-of-them.example',
      email_status: 'valid',
      email_checked_at: checkedAt,
      email_verified: true,
      owner_name: 'Ann Example',
      site_visit: { status: 'found', at: '2026-11-20T10:00:00Z' },
      extra: { Notes: 'Call back', Region: 'North' },
      sources: { email: 'website', owner_name: 'file:google', website: 'file', 'extra.Notes': 'file:google' },
      originals: { owner_name: 'EXAMPLE, ANN' },
    }),
    lead('Another', { email: 'new@another.example', owner_name: 'Bo Example' }),
    lead('Same', { email: 'Same@same.example', email_confidence: 90 }),
  ]);
  const to = await buildListOf(product.db, user.id, [
    lead('From the web', { phone: '217-555-0101', sources: { phone: 'file' }, extra: { Region: 'North' } }),
    lead('Another', { email: 'old@another.example' }),
    lead('Same', { email: 'same@same.example' }),
  ]);
  expect(await copy(from, { to: { list_id: to }, remove: true })).toMatchObject({
    copied: 0,
    skipped: 3,
    filled: 3,
    differing: 1,
  });
  expect(await readLeads(product.db, to)).toMatchObject([
    {
      phone: '217-555-0101',
      website: 'https://one-of-them.example',
      email: 'info@one-of-them.example',
      email_status: 'valid',
      email_checked_at: checkedAt,
      email_verified: true,
      owner_name: 'Ann Example',
      site_visit: { status: 'found' },
      extra: { Notes: 'Call back', Region: 'North' },
      sources: {
        phone: 'file',
        email: 'website',
        owner_name: 'file:google',
        website: 'file',
        'extra.Notes': 'file:google',
      },
      originals: { owner_name: 'EXAMPLE, ANN' },
    },
    { email: 'old@another.example', owner_name: 'Bo Example' },
    { email: 'same@same.example', email_confidence: 90 },
  ]);
  expect(await readLeads(product.db, from)).toMatchObject([{ email: 'new@another.example' }]);
});

test('of two verdicts on one number the newer holds, and of two as old the stricter', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day));
  const verdict = (phone: string | null, compliance_status: string, day?: number) => ({
    phone,
    compliance_status,
    compliance_checked_at: day === undefined ? null : at(day),
  });
  const cases = [
    // What comes, what is there, and what holds then.
    [verdict('+12175550101', 'safe', 20), verdict('217-555-0101', 'dnc', 19), verdict('217-555-0101', 'safe', 20)],
    [verdict('+12175550101', 'safe', 18), verdict('+12175550101', 'dnc', 19), verdict('+12175550101', 'dnc', 19)],
    [verdict('+12175550101', 'dnc', 19), verdict('+12175550101', 'safe', 19), verdict('+12175550101', 'dnc', 19)],
    [verdict('+12175550101', 'not_checked'), verdict('+12175550101', 'safe', 19), verdict('+12175550101', 'safe', 19)],
    [verdict('+12175550101', 'safe', 19), verdict(null, 'not_checked'), verdict('+12175550101', 'safe', 19)],
    [verdict('+12175550101', 'safe', 20), verdict('+12175550202', 'dnc', 19), verdict('+12175550202', 'dnc', 19)],
    [
      verdict('+12175550101', 'litigator', 1),
      verdict('+12175550101', 'not_checked', 19),
      verdict('+12175550101', 'litigator', 1),
    ],
  ] as const;
  const [from, to] = await Promise.all(
    ([0, 1] as const).map((side) =>
      buildListOf(
        product.db,
        user.id,
        cases.map((one, index) => lead(`Called ${index}`, one[side])),
      ),
    ),
  );
  await copy(from ?? '', { to: { list_id: to ?? '' } });
  expect(await readLeads(product.db, to ?? '')).toMatchObject(cases.map(([, , holds]) => holds));
});

test('the newest check of a number says of which kind its line is, or that this is not known', async () => {
  const one = (compliance_status: string, day: number, phone_type: string | null) => ({
    phone: '+12175550101',
    compliance_status,
    compliance_checked_at: new Date(Date.UTC(2026, 10, day)),
    phone_type,
  });
  const cases = [
    // What comes, what is there, and what holds then.
    [one('safe', 20, null), one('safe', 19, 'landline'), null],
    [one('safe', 18, 'landline'), one('safe', 19, null), null],
    [one('safe', 20, 'mobile'), one('safe', 19, 'landline'), 'mobile'],
    [one('not_checked', 18, 'mobile'), one('not_checked', 19, null), 'mobile'],
  ] as const;
  const build = (side: 0 | 1) =>
    buildListOf(
      product.db,
      user.id,
      cases.map((row, index) => lead(`Line ${index}`, row[side])),
    );
  const [from, to] = [await build(0), await build(1)];
  await copy(from, { to: { list_id: to } });
  expect((await readLeads(product.db, to)).map((row) => row.phone_type)).toEqual(cases.map(([, , kind]) => kind));
});

test('several leads of one business each bring what the earlier ones did not have', async () => {
  const phone = '+12175550177';
  const from = await buildListOf(product.db, user.id, [
    { business_name: 'One', phone, email: 'one@several.example' },
    { business_name: 'Two', phone, owner_name: 'Cy Example' },
    { business_name: 'Three', phone, extra: { Notes: 'Open late' } },
    { business_name: 'Four', phone, email: 'four@several.example' },
  ]);
  const to = await buildListOf(product.db, user.id, [lead('There', { phone })]);
  expect(await copy(from, { to: { list_id: to }, archive: true })).toMatchObject({
    skipped: 4,
    filled: 3,
    differing: 1,
  });
  expect(await readLeads(product.db, to)).toMatchObject([
    { business_name: 'There', email: 'one@several.example', owner_name: 'Cy Example', extra: { Notes: 'Open late' } },
  ]);
});

test('a lead that is suppressed brings nothing of its contact to another one of the business', async () => {
  const phone = '+1 406-555-0142';
  const litigator = { compliance_status: 'litigator', compliance_checked_at: new Date() };
  const ann = { email: 'ann@held-ann.example', owner_name: 'Ann Held', owner_title: 'Owner', extra: '{"Cell": "x"}' };
  const from = await buildListOf(product.db, user.id, [lead('Two', { phone, ...ann, ...litigator })]);
  const to = await buildListOf(product.db, user.id, [lead('Two', { phone, email: 'desk@two.example' })]);
  await user.call(addSuppressionEndpoint, { kind: 'email', value: ann.email });
  expect(await copy(from, { to: { list_id: to }, remove: true })).toMatchObject({ copied: 0, differing: 1 });
  expect(await readLeads(product.db, to)).toMatchObject([
    { email: 'desk@two.example', owner_name: null, owner_title: null, extra: {}, compliance_status: 'litigator' },
  ]);
  expect(await readLeads(product.db, from)).toMatchObject([{ email: ann.email }]);
});
