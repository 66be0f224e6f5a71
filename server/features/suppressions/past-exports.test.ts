import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
} from '#contract/calling/suppressions.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { connect } from '#db/connection/client.ts';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { buildListOf, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { mailOwners } from './notices/mail-owners.ts';

let product: Product;
let ann: TestUser;
let bea: TestUser;
let listId: string;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [ann, bea] = await Promise.all([product.user('ann'), product.user('bea')]);
  const leads = Array.from({ length: 1_200 }, (_, at) => ({
    business_name: `Held ${at}`,
    phone: `+1 312-555-${String(at).padStart(4, '0')}`,
    ...(at % 100 === 0 ? { email: `held${at}@gmail.com`, website: `https://www.held${at}.example/` } : {}),
  }));
  listId = await buildListOf(product.db, ann.id, leads, { name: 'Roofers in Tulsa, OK' });
});

async function download(body: Record<string, unknown> = {}, of = listId): Promise<string> {
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId: of }), {
    method: 'POST',
    headers: { authorization: await ann.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', ...body }),
  });
  return response.text();
}
const lookForOwners = () => mailOwners(product.workerDeps, new AbortController().signal);

test('an entry says which past exports held the contact, in any spelling', async () => {
  await download({ file_name: 'Roofers - 2026-11-20.csv' });
  await download({ filter: 'has_emails' });
  const phone = await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312.555.1199 ext 4' });
  expect(phone.suppression.exports).toEqual({
    total: 1,
    newest: [
      {
        id: expect.any(String),
        by: ann.email,
        at: expect.any(String),
        listName: 'Roofers in Tulsa, OK',
        fileName: 'Roofers - 2026-11-20.csv',
        leads: 1_200,
      },
    ],
  });
  const mail = await bea.call(addSuppressionEndpoint, { kind: 'email', value: 'H.eld300+x@googlemail.com' });
  expect(mail.suppression.exports.newest.map(({ leads }) => leads)).toEqual([12, 1_200]);
  expect(mail.suppression.exports.newest[0]?.fileName).toMatch(/^Roofers in Tulsa, OK - \d{4}-\d\d-\d\d\.csv$/);
  const domain = await bea.call(addSuppressionEndpoint, { kind: 'domain', value: 'held500.example' });
  expect(domain.suppression.exports.total).toBe(2);
  const other = await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 1201' });
  expect(other.suppression.exports).toEqual({ total: 0, newest: [] });
  const { items } = await ann.call(listSuppressionsEndpoint);
  expect(items.map(({ exports }) => exports.total)).toEqual([0, 2, 2, 1]);
});

test('a file holds no one who was suppressed before it, and is not said to', async () => {
  await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 0007' });
  expect(await download({ filter: 'all' })).not.toContain('555-0007');
  const { suppression } = await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 0007' });
  expect(suppression.exports.total).toBe(1);
});

test('the owner of the exports is mailed once for each contact, with the last day', async () => {
  await lookForOwners();
  const [mail, ...others] = product.mails;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: ann.email,
    subject: '4 contacts in your exports must not be contacted anymore',
    text: expect.stringContaining('+13125551199'),
  });
  expect(mail?.text).toMatch(
    /In “Roofers in Tulsa, OK - [\d-]+\.csv” of \w+ \d+, \d{4}. Last day by law: \w+ \d+, \d{4}\./,
  );
  expect(mail?.text).toContain(
    'Stop at once. The last day by law is 10 business days after the request (47 CFR 64.1200(d)(3) and 15 U.S.C. 7704(a)(4)).',
  );
  await lookForOwners();
  expect(product.mails).toHaveLength(1);

  const csv = Array.from({ length: 30 }, (_, at) => `312 555 02${String(at).padStart(2, '0')}`).join('\n');
  expect(await bea.call(importSuppressionsEndpoint, { csv })).toMatchObject({ added: 30, exports: 3 });
  const second = await product.process({ worker: false });
  await Promise.all([lookForOwners(), mailOwners(second.workerDeps, new AbortController().signal)]);
  expect([...product.mails.slice(1), ...second.mails].map(({ subject }) => subject)).toEqual([
    '30 contacts in your exports must not be contacted anymore',
  ]);
});

test('whom a mail did not reach is tried again', async () => {
  await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 0900' });
  const broken = { ...product.workerDeps, sendMail: () => Promise.reject(new Error('no mail today')) };
  const sent = product.mails.length;
  await mailOwners(broken, new AbortController().signal);
  expect(product.mails).toHaveLength(sent);
  await lookForOwners();
  expect(product.mails.at(-1)?.text).toContain('+13125550900');
});

test('owners of exports are told of an erasure, once, also before anyone looked at its entry', async () => {
  const admin = await product.admin();
  const erase = (value: string) => admin.call(eraseContactEndpoint, { kind: 'phone', value });
  const mailed = async (value: string) => {
    const sent = product.mails.length;
    await lookForOwners();
    return product.mails.slice(sent).filter(({ to, text }) => to === ann.email && text.includes(value)).length;
  };
  await lookForOwners();
  expect(await erase('312 555 0901')).toMatchObject({ exports: expect.any(Number) });
  await mailOwners(
    { ...product.workerDeps, sendMail: () => Promise.reject(new Error('no mail today')) },
    new AbortController().signal,
  );
  expect(await mailed('+13125550901')).toBe(1);
  expect(await mailed('+13125550901')).toBe(0);

  const { suppression } = await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 0902' });
  expect((await erase('312 555 0902')).exports).toBe(suppression.exports.total);
  expect(await mailed('+13125550902')).toBe(1);

  await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 0903' });
  expect(await mailed('+13125550903')).toBe(1);
  await erase('312 555 0903');
  await erase('312 555 0903');
  expect(await mailed('+13125550903')).toBe(0);
});

test('every page of the list is told, also by an import, and its clock of retention stays', async () => {
  const before = await readList(product.db, listId);
  await bea.call(importSuppressionsEndpoint, { csv: '312 555 0600\n' });
  const after = await readList(product.db, listId);
  expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
  expect(after.retention_from).toEqual(before.retention_from);
});

test('other columns of a file keep no one who is suppressed, and past exports are known by them', async () => {
  const extra = {
    'Cell Phone': '312.555.2201 ext 3',
    'Other Phones': '(312) 555-2202 / 312-555-2203',
    'Personal Email': 'Ask O.live.2204+home@Gmail.com',
    'Old Site': 'https://shop.held2205.example/a',
    'Other Email': 'front@held2206.example',
    Note: 'since 2019-05-12',
  };
  const others = await buildListOf(
    product.db,
    ann.id,
    [
      {
        business_name: 'With others',
        extra: JSON.stringify(extra),
        sources: JSON.stringify({ business_name: 'file' }),
      },
      { business_name: 'Without', sources: JSON.stringify({ business_name: 'file' }) },
    ],
    { sandbox: null },
  );
  const whole = await download({}, others);
  for (const text of Object.values(extra)) expect(whole).toContain(text);
  const found = [];
  for (const [kind, value] of [
    ['phone', '+1 312 555 2201'],
    ['phone', '312 555 2203'],
    ['email', 'olive2204@gmail.com'],
    ['domain', 'held2205.example'],
    ['domain', 'held2206.example'],
  ] as const)
    found.push((await bea.call(addSuppressionEndpoint, { kind, value })).suppression.exports.total);
  expect(found).toEqual([1, 1, 1, 1, 1]);
  for (const body of [{}, { rights: 'export_safe' }]) {
    const left = await download(body, others);
    expect(left).toContain('With others');
    expect(left).toContain('since 2019-05-12');
    for (const text of ['2201', '2203', '2204', 'held2205', 'held2206']) expect(left).not.toContain(text);
  }
  // What a file did not hold is not said of it.
  const late = await bea.call(addSuppressionEndpoint, { kind: 'phone', value: '312 555 2202' });
  expect(late.suppression.exports.total).toBe(1);
});

test('an upgrade takes keys along: leads, entries, requests, past exports and the erased', async () => {
  const url = await freshDatabase('empty');
  const owner = new pg.Client(url);
  await owner.connect();
  const { db } = connect(url);
  onTestFinished(() => Promise.all([owner.end(), db.destroy()]).then(() => undefined));
  const before = ({ version }: { version: string }) => version < '20261126130500';
  await applyMigrations(owner, 'backend_migrations', backendMigrations());
  await applyMigrations(owner, 'supabase_migrations', productMigrations().filter(before));
  const { rows: people } = await sql<{ id: string }>`
    insert into auth.users (id) values (gen_random_uuid()) returning id`.execute(db);
  const leads = [
    { business_name: '한국 식당 LLC' },
    { business_name: 'Proton', email: 'o.live@proton.me' },
    { business_name: 'Dom', website: 'https://müller.example' },
    { business_name: 'Plain Roofing, Inc.', email: 'a.b+c@gmail.com' },
  ];
  const list = await buildListOf(db, people[0]?.id ?? '', leads, { sandbox: null });
  await sql`
    insert into app.exports (list_id, list_name, file_name) values (${list}, 'L', 'f.csv')`.execute(db);
  await sql`
    insert into app.export_contacts (export_id, part, hashes)
    select 1, 0, app.short_hashes(array(select key from public.leads, unnest(contact_keys) as key))`.execute(db);
  await sql`
    insert into app.suppressions (kind, key, source) values ('company', 'company:llc', 'hand'), ('email', 'email:o.live@proton.me', 'hand'),
      ('domain', 'domain:müller.example', 'hand'), ('email', 'email:312-555-0127;s1@semi.example', 'file'), ('email', 'email:o-live@proton.me', 'hand')
  `.execute(db);
  await sql`insert into app.stop_requests (key) values ('email:a.b@proton.me'), ('email:ab@proton.me'), ('email:a-b@proton.me')`.execute(
    db,
  );
  await sql`insert into app.erased_contacts (hash, kind) select unnest(app.contact_hashes(array['email:gone.one@proton.me'])), 'email'`.execute(
    db,
  );
  await migrate(url, { hosted: false });
  const keys = async (from: string) =>
    (await sql<{ key: string }>`select key from ${sql.table(from)} order by key collate "C"`.execute(db)).rows.map(
      ({ key }) => key,
    );
  expect(await keys('app.suppressions')).toEqual([
    'company:llc',
    `company:${'한국 식당'.normalize('NFKD')}`,
    'domain:xn--mller-kva.example',
    'email:olive@proton.me',
    'email:s1@semi.example',
    'phone:+13125550127',
  ]);
  expect(await keys('app.stop_requests')).toEqual(['email:ab@proton.me']);
  const { rows: held } = await sql<{ business_name: string }>`
    select business_name from public.leads as lead
    where exists (select from app.suppressions as entry where entry.key = any(lead.contact_keys)) order by position`.execute(
    db,
  );
  expect(held.map(({ business_name }) => business_name)).toEqual(['한국 식당 LLC', 'Proton', 'Dom']);
  const { rows: holding } = await sql<{ key: string }>`
    select key from app.exports_holding(array['email:olive@proton.me', 'domain:xn--mller-kva.example', 'email:ab@gmail.com', 'email:x@y.example'])
    order by key`.execute(db);
  expect(holding.map(({ key }) => key)).toEqual([
    'domain:xn--mller-kva.example',
    'email:ab@gmail.com',
    'email:olive@proton.me',
  ]);
  await sql`insert into public.leads (list_id, position, business_name, email) values (${list}, 9, 'Back', 'Gone.One@proton.me')`.execute(
    db,
  );
  expect((await readLeads(db, list)).map(({ business_name }) => business_name)).not.toContain('Back');
});
