import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { checkCallabilityEndpoint } from '#contract/calling/callability.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
} from '#contract/calling/suppressions.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { sweepExports } from '#server/features/exports/start-export-sweep.ts';
import { addLeads } from '#server/features/search/lead-rows.ts';
import { columnsWith } from '#test/databases/find-text.ts';
import { buildListOf, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});
const erase = (kind: 'phone' | 'email' | 'business', value: string) =>
  admin.call(eraseContactEndpoint, { kind, value });
const names = async (listId: string) => (await readLeads(product.db, listId)).map((lead) => lead.business_name);
const mentions = (pattern: RegExp) => columnsWith(product.db, (text) => pattern.test(text));

test('an erased number leaves every list, entry, note and answer, and only a hash stays', async () => {
  const contact = {
    business_name: 'Gone',
    phone: '(303) 555-0151',
    email: 'gone@gone.example',
    owner_name: 'Olive Invented',
  };
  const [one, other] = await Promise.all([
    buildListOf(product.db, user.id, [{ business_name: 'Kept' }, contact]),
    buildListOf(product.db, admin.id, [{ ...contact, phone: '+13035550151' }, { business_name: 'Kept too' }]),
  ]);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '303.555.0151', note: 'called twice' });
  await user.call(addSuppressionEndpoint, { kind: 'email', value: 'x@people.example', note: 'also at 303-555-0151' });
  await user.call(addSuppressionEndpoint, { kind: 'email', value: 'y@people.example', note: 'at 303-555-01512' });
  const { rows } = await sql<{ id: string }>`
    insert into app.paid_calls (idempotency_key, user_id, provider, operation, subject, state, estimate_micros, cost_micros, sandbox)
    values ('erased', ${user.id}, 'searchbug', 'phone_scrub', '3035550151', 'answered', 20000, 20000, true) returning id
  `.execute(product.db);
  await sql`
    insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id)
    values (${user.id}, 'searchbug', 'phone_scrub', '3035550151', true, '{"verdict": "safe"}', ${rows[0]?.id ?? ''}),
      (${user.id}, 'google_places', 'search_page', 'roofers, page 1', true, '{"places": [{"phone": "+1 303-555-0151"}]}', ${rows[0]?.id ?? ''})
  `.execute(product.db);

  expect(await erase('phone', '+1 (303) 555-0151')).toEqual({ leads: 2, files: 0, exports: 0, known: false });
  expect(await names(one)).toEqual(['Kept']);
  expect(await names(other)).toEqual(['Kept too']);
  expect(await readList(product.db, one)).toMatchObject({ lead_count: 1 });
  expect(await mentions(/303\D{0,2}555\D{0,1}0151(\D|$)/i)).toEqual([]);
  const { items } = await user.call(listSuppressionsEndpoint);
  expect(items.map(({ value, note }) => [value, note])).toEqual([
    ['y@people.example', 'at 303-555-01512'],
    ['x@people.example', null],
  ]);
  const ledger = await product.db.selectFrom('app.paid_calls').select(['subject', 'cost_micros']).execute();
  expect(ledger).toEqual([{ subject: expect.stringMatching(/^erased [\da-f]{16}$/), cost_micros: 20_000 }]);
  const log = await sql<{ text: string }>`select row_to_json(one)::text as text from app.audit_log as one`.execute(
    product.db,
  );
  expect(log.rows.every(({ text }) => !text.includes('5550151'))).toBe(true);
});

test('an email that was verified is forgotten in any spelling, and its cost is kept', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into app.paid_calls (idempotency_key, user_id, provider, operation, subject, state, estimate_micros, cost_micros, sandbox)
    values ('verified', ${user.id}, 'hunter_io', 'email_verify', 'o.live+shop@gmail.com', 'answered', 25000, 25000, true) returning id
  `.execute(product.db);
  const call = rows[0]?.id ?? '';
  await sql`
    insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id)
    values (${user.id}, 'hunter_io', 'email_verify', 'o.live+shop@gmail.com', true, '{"status": "valid"}', ${call})
  `.execute(product.db);
  await erase('email', 'Olive@gmail.com');
  expect(await mentions(/o\.live/i)).toEqual([]);
  const { subject, cost_micros } = await product.db
    .selectFrom('app.paid_calls')
    .select(['subject', 'cost_micros'])
    .where('id', '=', call)
    .executeTakeFirstOrThrow();
  expect([subject, cost_micros]).toEqual([expect.stringMatching(/^erased [\da-f]{16}$/), 25_000]);
});

test('it stays held back, and does not come back by hand, file, search, copy or enrichment', async () => {
  await erase('email', 'Back.Again@gmail.com');
  await erase('business', 'ChIJinvented_erased');
  await expect(user.call(addSuppressionEndpoint, { kind: 'phone', value: '303-555-0151' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This contact was erased. It is held back for good, without an entry.',
  });
  const csv = '3035550151\nbackagain+x@googlemail.com\n303 555 0152\n';
  expect(await user.call(importSuppressionsEndpoint, { csv })).toMatchObject({ added: 1, known: 2, wrong: 0 });
  const check = await user.call(checkCallabilityEndpoint, { phone: '303 555 0151', state: 'CO', postalCode: '80202' });
  expect(check.verdict).toBe('blocked');

  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Number', phone: '303.555.0151' },
    { business_name: 'Address', email: 'b.ackagain+1@gmail.com' },
    { business_name: 'Place', place_id: 'ChIJinvented_erased' },
    { business_name: 'Stays', phone: '303.555.0153', website: 'https://stays.example' },
  ]);
  expect(await names(listId)).toEqual(['Stays']);
  const place = { phone: '+1 303-555-0151', serviceArea: false, closedPermanently: false };
  await product.db.transaction().execute((tx) =>
    addLeads(tx, listId, [
      { callId: null, place: { id: 'ChIJinvented_other', name: 'By search', ...place } },
      { callId: null, place: { id: 'ChIJinvented_erased', name: 'By search too', ...place, phone: '303 555 0154' } },
      { callId: null, place: { id: 'ChIJinvented_fine', name: 'Fine', ...place, phone: '303 555 0155' } },
    ]),
  );
  expect(await names(listId)).toEqual(['Stays', 'Fine']);
  const before = await readList(product.db, listId);
  await sql`update public.leads set email = 'back.again@gmail.com', owner_name = 'Olive Invented', email_confidence = 90
    where list_id = ${listId} and business_name = 'Stays'`.execute(product.db);
  expect((await readLeads(product.db, listId))[0]).toMatchObject({
    email: null,
    owner_name: null,
    email_confidence: null,
  });
  // Fewer were written than the list was built with; what a search adds is counted as it is.
  expect(before.lead_count).toBe(4 + 1);
  const { list_id: copied } = await user.call(duplicateListEndpoint, { list_id: listId });
  expect(await names(copied)).toEqual(['Stays', 'Fine']);
});

test('kept exports that may hold it are removed by the next sweep, and past exports are still known by its hash', async () => {
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'In a file', phone: '303 555 0160' }]);
  await product
    .request(addressOf(exportLeadsEndpoint.path, { listId }), {
      method: 'POST',
      headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
    })
    .then((response) => response.text());
  const name = `${user.id}/${listId}/2026-11-20T10-00-00.000Z--all--all_leads--1.csv`;
  await sql`insert into storage.objects (bucket_id, name, owner, version, metadata)
    values ('exports', ${name}, ${user.id}, gen_random_uuid(), '{}')`.execute(product.db);
  await product.db.deleteFrom('leads').where('list_id', '=', listId).execute();
  expect(await erase('phone', '303 555 0160')).toMatchObject({ leads: 0, files: 1 });
  const removed: string[] = [];
  const remove = async (files: readonly string[]) => {
    removed.push(...files);
    await sql`delete from storage.objects where name = any(${files}::text[])`.execute(product.db);
  };
  await sweepExports({ db: product.db, remove });
  expect(removed).toEqual([name]);
  expect((await sql`select from app.files_to_erase`.execute(product.db)).rows).toEqual([]);
});

test('a lead that is written at the same time does not slip in', async () => {
  const listId = await buildListOf(product.db, user.id, []);
  const write = (at: number) =>
    sql`insert into public.leads (list_id, position, business_name, phone) values (${listId}, ${at}, 'Race', '303 555 0170')`.execute(
      product.db,
    );
  await Promise.all([
    ...Array.from({ length: 10 }, (_, at) => write(at)),
    erase('phone', '3035550170'),
    ...Array.from({ length: 10 }, (_, at) => write(at + 10)),
  ]);
  expect(await names(listId)).toEqual([]);
});

test('only administrators erase, and the key of the hashes is no one’s to read', async () => {
  const attempt = user.call(eraseContactEndpoint, { kind: 'phone', value: '303 555 0180' });
  await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const role of ['anon', 'authenticated', 'service_role', 'fairlead_worker', 'fairlead_web']) {
    const { rows } = await sql<{ may: boolean }>`
      select has_table_privilege(${role}, 'app.contact_secret', 'select') as may`.execute(product.db);
    expect(rows[0]?.may, role).toBe(false);
  }
  await expect(sql`select * from app.contact_secret`.execute(product.deps.db)).rejects.toMatchObject({ code: '42501' });
});
