import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
  type SuppressionKind,
} from '#contract/calling/suppressions.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordSuppressions } from '#server/evidence/record-suppressions.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other, admin] = await Promise.all([product.user(), product.user(), product.user('admin')]);
  await product.db.updateTable('app.profiles').set({ role: 'admin' }).where('user_id', '=', admin.id).execute();
});

const add = (kind: SuppressionKind, value: string, note?: string) =>
  user.call(addSuppressionEndpoint, { kind, value, ...(note ? { note } : {}) });
const held = async (listId: string, whose = other) => (await whose.call(countLeadsEndpoint, {}, { listId })).suppressed;

/** A lead of someone else that an entry must mean, however either is written. */
describe.each<[SuppressionKind, string, Record<string, string>[]]>([
  [
    'phone',
    '(312) 555-0142',
    [
      { phone: '+1 312-555-0142' },
      { phone: '312.555.0142' },
      { phone: '1 (312) 555 0142 ext. 7' },
      { phone: '+13125550142;ext=12' },
      { phone: '312-555-0142 x9' },
      { phone: 'tel:+1-312-555-0142,,204' },
      { phone: '312-KKK-0142' },
      { phone: '\u202a+1 312 555 0142\u202c' },
      { phone: '\uff13\uff11\uff12-555-0142' },
    ],
  ],
  [
    'email',
    'Olive.Invented+news@GMAIL.com',
    [
      { email: 'oliveinvented@gmail.com' },
      { email: 'O.l.i.v.e.invented+x@googlemail.com' },
      { email: 'oliveINVENTED+1@gmail.com' },
      { email: ' olive.invented@gmail.com ' },
      { email: 'OLIVE.INVENTED@GMAIL.COM' },
    ],
  ],
  [
    'domain',
    'https://www.bright-smiles.example.com/contact',
    [
      { website: 'http://bright-smiles.example.com' },
      { website: 'HTTPS://WWW.Bright-Smiles.Example.COM/a?b=c' },
      { website: 'https://book.bright-smiles.example.com:8080/now' },
      { email: 'front.desk@bright-smiles.example.com' },
      { email: 'x@mail.bright-smiles.example.com' },
    ],
  ],
  ['domain', 'olive.wixsite.com', [{ website: 'https://www.olive.wixsite.com/home' }]],
  // As browsers read them.
  [
    'domain',
    'slashes.example',
    [{ website: 'https:\\\\slashes.example\\@other.example/' }, { website: 'https:///slashes.example' }],
  ],
  ['business', 'ChIJinvented_place-1', [{ place_id: 'ChIJinvented_place-1' }]],
  [
    'company',
    'Invented Roofing & Siding, Inc.',
    [
      { business_name: 'INVENTED ROOFING & SIDING LLC' },
      { business_name: 'Invented Roofing  Siding' },
      { business_name: 'Invent\u00e9d Roofing-Siding Co.' },
      { business_name: 'Invented Roofing and Siding, L.L.C.' },
      ...[
        'P.A.',
        'GmbH',
        'GmbH & Co. KG',
        'Pty Ltd',
        'LLLP',
        'SARL',
        'S.à r.l.',
        'S.p.A.',
        'Limited Liability Company',
      ].map((form) => ({ business_name: `Invented Roofing & Siding ${form}` })),
    ],
  ],
  ['company', 'Ресторан «Пушкин»', [{ business_name: 'РЕСТОРАН ПУШКИН' }, { business_name: 'Ресторан Пушкин, LLC' }]],
  ['company', '한국 식당 LLC', [{ business_name: '한국 식당' }, { business_name: '한국 식당, Inc.' }]],
  ['company', '寿司 Bar', [{ business_name: '寿司 BAR' }]],
  [
    'domain',
    'xn--mller-kva.example',
    [
      { website: 'https://www.MÜLLER.example/a' },
      { email: 'foo@mu\u0308ller.example' },
      { website: 'http://shop.xn--mller-kva.example' },
    ],
  ],
  ['domain', '例え。テスト', [{ website: 'https://xn--r8jz45g.xn--zckzah/' }, { email: 'a@例え.テスト' }]],
  ['email', 'foo@xn--strae-oqa.example', [{ email: 'Foo@STRAßE.example' }, { email: 'foo@xn--strae-oqa.example' }]],
  [
    'email',
    'olive.invented@proton.me',
    [
      { email: 'oliveinvented@proton.me' },
      { email: 'Olive_Invented+x@proton.me' },
      { email: 'o-liveinvented@PROTON.me' },
    ],
  ],
])('%s %s', (kind, value, leads) => {
  test('is held back everywhere, and let go by an administrator', async () => {
    const listId = await buildListOf(product.db, other.id, [
      { business_name: 'Someone else', phone: '+1 312-555-0100' },
      { business_name: 'Bar', email: 'other@proton.me', website: 'https://example.example' },
      { business_name: '日本料理 LLC' },
      ...leads,
    ]);
    expect(await held(listId)).toBe(0);
    const { suppression, added, leads: count } = await add(kind, value);
    expect(added).toBe(true);
    expect(count).toBe(leads.length);
    expect(await held(listId)).toBe(leads.length);
    expect((await add(kind, value)).added).toBe(false);

    const reason = { reason: 'entered by mistake' };
    const removal = user.call(removeSuppressionEndpoint, reason, { id: suppression.id });
    await expect(removal).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await held(listId)).toBe(leads.length);
    expect(await admin.call(removeSuppressionEndpoint, reason, { id: suppression.id })).toEqual({
      removed: true,
      heldBy: [],
    });
    expect(await admin.call(removeSuppressionEndpoint, reason, { id: suppression.id })).toEqual({
      removed: false,
      heldBy: [],
    });
    expect(await held(listId)).toBe(0);
  });
});

test('who lets one entry go is told which others still hold its leads', async () => {
  const lead = { business_name: 'Twice LLC', phone: '+1 312-555-0177', website: 'https://twice.example' };
  const listId = await buildListOf(product.db, other.id, [lead]);
  const phone = await add('phone', '312 555 0177');
  await add('domain', 'twice.example');
  const company = await add('company', 'Twice Inc.');
  const remove = (id: string) => admin.call(removeSuppressionEndpoint, { reason: 'a mistake' }, { id });
  const [domain, name] = [
    { kind: 'domain', value: 'twice.example' },
    { kind: 'company', value: company.suppression.value },
  ];
  expect(await remove(phone.suppression.id)).toEqual({ removed: true, heldBy: [name, domain] });
  expect(await held(listId)).toBe(1);
  expect(await remove(company.suppression.id)).toEqual({ removed: true, heldBy: [domain] });
});

test.each<[SuppressionKind, string, string]>([
  ['phone', '12', 'not a US number'],
  ['phone', '+44 12', 'not a phone number'],
  ['phone', 'call office', 'not a US number'],
  ['email', 'nobody at example', 'not an email address'],
  ['domain', 'nonsense', 'not a domain'],
  ['domain', 'gmail.com', 'Many people have mailboxes'],
  ['domain', 'www.facebook.com', 'Many businesses have a page'],
  ['domain', 'co.uk', 'not a domain'],
  ['business', 'a b', 'not a place id'],
  ['domain', 'mail.sbcglobal.net', 'Many people have mailboxes'],
  ...[
    ...[
      'yahoo.co.uk',
      'hotmail.co.uk',
      'outlook.de',
      'gmx.de',
      'web.de',
      'mail.com',
      'zoho.com',
      'btinternet.com',
      'manx.net',
    ],
    ...['aol.co.uk', 'live.co.uk', 't-online.de', 'mail.ru', 'qq.com', 'hey.com'],
  ].map((host): [SuppressionKind, string, string] => ['domain', host, 'Many people have mailboxes']),
  ...['wixsite.com', 'www.wixsite.com', 'github.io', 'm.facebook.com'].map(
    (host): [SuppressionKind, string, string] => ['domain', host, 'not a domain|Many businesses'],
  ),
  ['email', `info@${'ü'.repeat(60)}.${'ö'.repeat(60)}.${'ä'.repeat(60)}.example`, 'not an email address'],
  ['email', `info@${`${'a'.repeat(60)}.`.repeat(5)}example`, 'not an email address'],
  ['domain', `${'ü'.repeat(60)}.${'ö'.repeat(60)}.example`, 'not a domain'],
  ['company', '...', 'not the name'],
  ['company', 'LLC', 'not the name'],
  ['email', '312-555-0127;s1@semi.example', 'not an email address'],
])('%s %s is refused', async (kind, value, why) => {
  await expect(add(kind, value)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringMatching(why),
  });
});

test('a removal needs a reason, and leaves what was removed in the log', async () => {
  const { suppression } = await add('email', 'leave-me@people.example', 'asked by phone');
  const removal = admin.call(removeSuppressionEndpoint, { reason: ' ' }, { id: suppression.id });
  await expect(removal).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const without = await product.request(addressOf(removeSuppressionEndpoint.path, { id: suppression.id }), {
    method: 'DELETE',
    headers: { authorization: await admin.authorization(), 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await without.json()).toMatchObject({ message: 'reason: Say why, in a few words.' });
  await admin.call(removeSuppressionEndpoint, { reason: 'wrong person' }, { id: suppression.id });
  const line = await product.db
    .selectFrom('app.audit_log')
    .select('details')
    .where('action', '=', 'suppression.removed')
    .where('target', '=', suppression.id)
    .executeTakeFirstOrThrow();
  expect(line.details).toEqual({ entry: 'email:l…@people.example', reason: 'wrong person' });
});

test('a file is read with a header and without; what cannot be read is named', async () => {
  const file =
    'Phone,Email,Note\r\n(415) 555-0101,a.b+c@gmail.com,"said ""stop"", twice"\r\n\r\n12,,\r\n+1 415 555 0101,,\r\n';
  expect(await user.call(importSuppressionsEndpoint, { csv: file })).toEqual({
    added: 2,
    known: 1,
    wrong: 1,
    exports: 0,
    errors: [{ line: 4, text: '12', why: expect.stringContaining('not a US number') }],
    ignored: [],
    otherSheets: [],
  });
  const bare = '415-555-0102\nx@people.example\npeople-and-sons.example.com\njust words\n';
  const read = await user.call(importSuppressionsEndpoint, { csv: bare });
  expect(read).toMatchObject({ added: 3, known: 0, wrong: 1 });
  expect(read.errors[0]).toMatchObject({ line: 4, text: 'just words' });
  const kinds = 'kind,value\ncompany,Invented Plumbing\nphone,nonsense\nplanet,Mars\n';
  expect(await user.call(importSuppressionsEndpoint, { csv: kinds })).toMatchObject({ added: 1, wrong: 2 });
  await expect(user.call(importSuppressionsEndpoint, { csv: "\u0001'" })).rejects.toMatchObject({
    status: 422,
    message: 'This is not a table that can be read. Save it as XLSX or CSV.',
  });

  const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: '415 555-0101' });
  expect(items).toMatchObject([{ kind: 'phone', value: '+14155550101', note: 'said "stop", twice', source: 'file' }]);
});

test.each<[string, string, string[], string[]]>([
  ['Email,Mobile', 'a1@several.example,(628) 555-1001', ['a1@several.example', '+16285551001'], []],
  [
    'Email,Phone 1,Phone 2',
    'a2@several.example,628-555-1002,628-555-1003',
    ['a2@several.example', '+16285551002', '+16285551003'],
    [],
  ],
  ['Phone,Cell Phone', '628.555.1004,628.555.1005', ['+16285551004', '+16285551005'], []],
  ['Phone,Phone', '628 555 1006,628 555 1007', ['+16285551006', '+16285551007'], []],
  ['Contact,Asked To Stop,City', 'Olive,628 555 1008,Tulsa', ['+16285551008'], ['Contact', 'City']],
  [
    'Phone;Email;Phone Type',
    '628-555-1009;a9@several.example;mobile',
    ['+16285551009', 'a9@several.example'],
    ['Phone Type'],
  ],
  [
    '',
    '628-555-1010,628-555-1011,said stop,a10@several.example',
    ['+16285551010', '+16285551011', 'a10@several.example'],
    [],
  ],
  ['', '628-555-1012;a12@several.example', ['+16285551012', 'a12@several.example'], []],
  [
    'Contact,Note',
    '628-555-1015,a\nx15@several.example,b\nstop15.example,c\n628-555-1016,d',
    ['+16285551015', 'x15@several.example', 'stop15.example', '+16285551016'],
    [],
  ],
  ['Phone', '628-555-1017\nx17@several.example', ['+16285551017', 'x17@several.example'], []],
  [
    'Name,Other',
    `${'Olive,\n'.repeat(250)}Olive,628-555-1018\nOlive,2026-11-26\nOlive,x18@several.example`,
    ['+16285551018', 'x18@several.example'],
    ['Name', 'Other'],
  ],
  ['Phone', '"628-555-1013; 628-555-1014 ext. 4"', ['+16285551013', '+16285551014'], []],
])(
  'a file with the header "%s" loses no one, and names what it does not read',
  async (header, line, values, ignored) => {
    const csv = `${header ? `${header}\n` : ''}${line}\n`;
    const read = await user.call(importSuppressionsEndpoint, { csv });
    expect(read).toMatchObject({ added: values.length, wrong: 0, ignored });
    for (const q of values)
      expect((await user.call(listSuppressionsEndpoint, undefined, { q })).items.map(({ value }) => value)).toEqual([
        q,
      ]);
  },
);

test('a file of thousands is in the chain line by line, and adds nothing a second time', async () => {
  const phones = Array.from({ length: 2_500 }, (_, at) => `+1978555${String(at).padStart(4, '0')}`);
  const csv = `phone\n${phones.join('\n')}`;
  const [first, second] = [phones.slice(0, 1_200).join('\n'), `phone\n${phones.toReversed().join('\n')}`];
  expect(await user.call(importSuppressionsEndpoint, { csv: first })).toMatchObject({ added: 1_200, known: 0 });
  expect(await user.call(importSuppressionsEndpoint, { csv })).toMatchObject({ added: 1_300, known: 1_200 });
  expect(await user.call(importSuppressionsEndpoint, { csv: second })).toMatchObject({ added: 0, known: 2_500 });

  const vault = await evidenceVault(product.deps.db, product.deps.vault);
  expect(await verifyChain(product.db, vault)).toMatchObject({ ok: true });
  const subjects = phones.map((phone) => Buffer.from(vault.fingerprint(`phone:${phone}`), 'hex'));
  const { rows } = await sql<{ parts: number; sealed: number }>`
    select count(*)::int as parts, count(distinct part.sealed)::int as sealed
    from app.evidence_subjects as named join app.evidence_parts as part using (ticket, part)
    where named.subject = any(${subjects})`.execute(product.db);
  expect(rows).toEqual([{ parts: 2_500, sealed: 2_500 }]);
  const { rows: inOrder } = await sql<{ phone: string; version: string }>`
    select substr(key, 7) as phone, substr(id::text, 15, 1) as version from app.suppressions
    where key like 'phone:+1978555%' order by id`.execute(product.db);
  expect(new Set(inOrder.map(({ version }) => version))).toEqual(new Set(['7']));
  const earlier = inOrder.slice(0, 1_200).map(({ phone }) => phone);
  expect(earlier.toSorted()).toEqual(phones.slice(0, 1_200));
});

test('what cannot be stored is told once, and nothing of it stays', async () => {
  const { db, vault } = product.deps;
  const evidence = await evidenceVault(db, vault);
  const keys = Array.from({ length: 4_000 }, (_, at) => `phone:+1979555${String(at).padStart(4, '0')}`);
  const failing = db.transaction().execute(async (tx) => {
    await sql`set local transaction_read_only = on`.execute(tx);
    await recordSuppressions(tx, evidence, keys, { actor: null, source: 'file' });
  });
  await expect(failing).rejects.toThrow('read-only transaction');
  expect(await verifyChain(product.db, evidence)).toMatchObject({ ok: true });
});

test.each([
  ['+12175550100', '+12175550100'],
  ['+1 217-555-0100', '+12175550100'],
  [' -+1 -217 555 - 0100- ', '+12175550100'],
  ['+1 217-555-0100 x12', '+12175550100'],
  ['+1 217-555-0100, 204', '+12175550100'],
  ['+1 (217) 555.0100', '+12175550100'],
  ['217-555-0100', '+12175550100'],
  ['1 217-555-0100', '+12175550100'],
  ['+011 44 20 7946 0958', '+442079460958'],
  ['+44 20 7946 0958', '+442079460958'],
  ['+12345678', '+12345678'],
  ['+1234567', null],
  ['+1234567890123456789', null],
  ['217-555', null],
])('%s has the key %s', async (text, key) => {
  const { rows } = await sql<{ key: string | null }>`select app.phone_key(${text}) as key`.execute(product.db);
  expect(rows).toEqual([{ key }]);
});

test('pages follow each other, the newest first, and a kind narrows them', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `page${at}@pages.example`);
  await user.call(importSuppressionsEndpoint, { csv: lines.join('\n') });
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const page: { items: { value: string }[]; next: string | null; total: number } = await other.call(
      listSuppressionsEndpoint,
      undefined,
      { q: '@pages.example', kind: 'email', ...(before ? { before } : {}) },
    );
    expect(page.total).toBe(120);
    seen.push(...page.items.map(({ value }) => value));
    before = page.next;
  } while (before);
  expect(seen.toSorted()).toEqual(lines.toSorted());
  expect((await user.call(listSuppressionsEndpoint, undefined, { q: '@pages.example', kind: 'phone' })).items).toEqual(
    [],
  );
});

test('an entry outlives the account that added it', async () => {
  const leaver = await product.user();
  await leaver.call(addSuppressionEndpoint, { kind: 'phone', value: '+1 415 555 0177' });
  await sql`delete from auth.users where id = ${leaver.id}`.execute(product.db);
  const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: '+14155550177' });
  expect(items).toMatchObject([{ value: '+14155550177', addedBy: null }]);
});
