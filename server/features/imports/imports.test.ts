import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import {
  cancelImportEndpoint,
  checkImportEndpoint,
  getImportEndpoint,
  keepImportEndpoint,
  listImportsEndpoint,
  MOST_IMPORT_BYTES,
  startImportEndpoint,
  undoImportEndpoint,
} from '#contract/imports/imports.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import { productMigrations } from '#db/migrations/our-migrations.ts';
import { exportRows } from '#test/exports.ts';
import { importEnd, importFile, uploadFile } from '#test/imports.ts';
import { buildListOf, readLeads, readList, tellPlaces } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { spreadsheet } from '#test/spreadsheet.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const leadsOf = (listId: string) =>
  product.db.selectFrom('leads').selectAll().where('list_id', '=', listId).orderBy('position').execute();

/** All of someone's lists and leads, as bytes; without when a list was changed last. */
async function bytesOf(user: TestUser): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg((to_jsonb(list) - 'updated_at')::text || coalesce(leads.text, ''), E'\n' order by list.id), '') as text
    from public.lists as list left join lateral (
      select string_agg(to_jsonb(lead)::text, E'\n' order by lead.id) as text
      from public.leads as lead where lead.list_id = list.id) as leads on true
    where list.user_id = ${user.id}`.execute(product.db);
  return rows[0]?.text ?? '';
}

const FILE = [
  'Company,Telephone,E-mail,Web,Street,City,ST,Zip,Account No',
  'Acme Dental LLC,(312) 555-0101,Front.Desk@ACME-Dental.example,www.acme-dental.example,12 Main St,Springfield,Illinois,62701,A-7',
  '"Bright, Smiles & Co",312.555.0102 x9,,bright.example/home,9 Oak Ave,Springfield,IL,62702,=1+1',
  'No Phone Bakery,12,bad address,,,,,,',
  ',,,,,,,,',
  'Acme Dental,+1 312 555 0101,second@acme-dental.example,,,,,,',
].join('\r\n');

test('a file is read, shown, made into a list, and told from what was bought', async () => {
  const user = await product.user();
  const file = await uploadFile(product, user, FILE, { name: 'clients.csv' });
  expect(file).toMatchObject({
    rows: 4,
    errors: 1,
    duplicates: 1,
    inFile: 1,
    inLists: 0,
    suppressed: 0,
    hasHeader: true,
  });
  expect(file.columns.map(({ guess }) => guess)).toEqual([
    ...['business_name', 'phone', 'email', 'website', 'street', 'city', 'state', 'zip', 'extra'],
  ]);
  expect(file.problems).toMatchObject([
    { row: 4, column: 'Telephone', value: '12' },
    { row: 4, column: 'E-mail', value: 'bad address' },
  ]);
  expect(file.preview[0]).toMatchObject({
    row: 2,
    values: { phone: '+1 312-555-0101' },
    extra: { 'Account No': 'A-7' },
  });

  const response = await product.request(addressOf(startImportEndpoint.path, { id: file.importId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ duplicates: 'skip', listName: 'My clients' }),
  });
  expect(response.status).toBe(202);
  const { data } = (await response.json()) as { data: { listId: string } };
  const end = await importEnd(user, file.importId);
  expect(end).toMatchObject({
    state: 'completed',
    rows: 4,
    done: 4,
    added: 3,
    skipped: 1,
    errors: 1,
    listId: data.listId,
  });
  expect(await readList(product.db, data.listId)).toMatchObject({
    lead_count: 3,
    status: 'completed',
    sandbox: false,
    has_emails: true,
  });
  const leads = await leadsOf(data.listId);
  expect(leads[0]).toMatchObject({
    business_name: 'Acme Dental LLC',
    phone: '+1 312-555-0101',
    email: 'Front.Desk@acme-dental.example',
    website: 'https://www.acme-dental.example',
    address: '12 Main St, Springfield, IL 62701, USA',
    import_row: 2,
    sources: { business_name: 'file', phone: 'file', email: 'file', website: 'file', address: 'file' },
    originals: { phone: '(312) 555-0101' },
  });
  expect(leads.map(({ import_row }) => import_row)).toEqual([2, 3, 4]);
  const { file: origin } = await user.call(getProvenanceEndpoint, undefined, { id: leads[0]?.id ?? '' });
  expect(origin).toMatchObject({ name: 'clients.csv', row: 2, extra: [{ header: 'Account No', value: 'A-7' }] });

  const csv = await (
    await product.request(addressOf(exportLeadsEndpoint.path, { listId: data.listId }), {
      method: 'POST',
      headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
    })
  ).text();
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^Business Name,Phone,Address,Website,Email,.*,Account No$/);
  expect(lines[2]).toMatch(/,'=1\+1$/);
  const errors = await (await user.get(addressOf('/api/imports/:id/errors.csv', { id: file.importId }))).text();
  expect(errors.trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^4,Telephone,12,/),
    expect.stringMatching(/^4,E-mail,bad address,/),
  ]);
  expect(
    await product.db.selectFrom('app.import_rows').select('row').where('import_id', '=', file.importId).execute(),
  ).toEqual([{ row: 4 }]);
});

test('duplicates in lists and suppressed contacts are counted before anything is stored, and held back after', async () => {
  const user = await product.user();
  await buildListOf(product.db, user.id, [{ business_name: 'Old', phone: '+1 415-555-0111' }], { sandbox: false });
  await buildListOf(product.db, user.id, [{ business_name: 'Invented', phone: '+1 415-555-0112' }], { sandbox: true });
  await user.call(addSuppressionEndpoint, { kind: 'domain', value: 'left-alone.example' });
  const text = 'name,phone,email\nA,4155550111,\nB,4155550112,\nC,4155550113,x@mail.left-alone.example\n';
  expect(await uploadFile(product, user, text)).toMatchObject({ rows: 3, duplicates: 1, inLists: 1, suppressed: 1 });
  const { list } = await importFile(product, user, text, { duplicates: 'skip' });
  const counts = await user.call(countLeadsEndpoint, {}, { listId: list });
  expect(counts).toMatchObject({ leads: 2, suppressed: 1, exports: { all: { all_leads: 1 } } });
});

const SAFE = { compliance_status: 'safe', compliance_checked_at: new Date() };

test('empty fields are filled, what stands there is kept, and undoing restores every byte', async () => {
  const user = await product.user();
  await buildListOf(
    product.db,
    user.id,
    [
      {
        business_name: 'One',
        phone: '+1 415-555-0121',
        website: 'https://one.example',
        sources: '{"phone":"website"}',
        ...SAFE,
      },
      { business_name: 'Two', email: 'two@two.example', phone: '' },
    ],
    { sandbox: false, compliance_checked: true, has_emails: true },
  );
  const before = await bytesOf(user);
  const text = [
    'name,phone,email,website,notes',
    'One,(415) 555-0121,one@one.example,https://other.example,call back',
    'Two,4155550122,two@two.example,,',
    'Three,4155550123,,,',
    'Three again,4155550123,three@three.example,,later',
  ].join('\n');
  const done = await importFile(product, user, text, { duplicates: 'update' });
  expect(done).toMatchObject({ state: 'completed', added: 1, updated: 3, skipped: 0 });
  const filled = await product.db.selectFrom('leads').selectAll().where('business_name', '=', 'One').execute();
  expect(filled[0]).toMatchObject({
    email: 'one@one.example',
    website: 'https://one.example',
    extra: { notes: 'call back' },
    sources: { phone: 'website', email: 'file' },
  });
  expect(await leadsOf(done.list)).toMatchObject([{ business_name: 'Three', email: 'three@three.example' }]);
  expect(await bytesOf(user)).not.toBe(before);
  expect(await user.call(undoImportEndpoint, undefined, { id: done.id })).toEqual({
    removed: 1,
    restored: 2,
    changedSince: 0,
  });
  expect(await bytesOf(user)).toBe(before);
  expect(await user.call(undoImportEndpoint, undefined, { id: done.id })).toEqual({
    removed: 0,
    restored: 0,
    changedSince: 0,
  });
  expect((await user.call(getImportEndpoint, undefined, { id: done.id })).state).toBe('undone');
});

test('a number that comes or goes takes no verdict of another one along', async () => {
  const user = await product.user();
  const lead = { business_name: 'One', email: 'one@verdict.example', compliance_reason: 'No phone number' };
  const own = await buildListOf(product.db, user.id, [lead], { sandbox: false, has_emails: true });
  const before = await bytesOf(user);
  const fill = (phone: string) =>
    importFile(product, user, `name,phone,email\nOne,${phone},${lead.email}\n`, { duplicates: 'update' });
  const unchecked = {
    compliance_status: 'not_checked',
    compliance_reason: null,
    compliance_checked_at: null,
    compliance_call_id: null,
    phone_type: null,
  };
  const first = await fill('4155550124');
  expect(await leadsOf(own)).toMatchObject([{ phone: '+1 415-555-0124', ...unchecked }]);
  const checked = { compliance_status: 'safe', compliance_checked_at: new Date(), phone_type: 'landline' };
  await product.db.updateTable('leads').set(checked).where('list_id', '=', own).execute();
  await product.db.updateTable('leads').set({ phone: '(415) 555-0124' }).where('list_id', '=', own).execute();
  expect(await leadsOf(own)).toMatchObject([checked]);
  await product.db.updateTable('leads').set({ phone: '+1 415-555-0124' }).where('list_id', '=', own).execute();
  await user.call(undoImportEndpoint, undefined, { id: first.id });
  expect(await bytesOf(user)).toBe(before);
  await fill('4155550125');
  expect(await leadsOf(own)).toMatchObject([{ phone: '+1 415-555-0125', ...unchecked }]);
  expect(await exportRows(product, user, own, { compliance: 'clean' })).toEqual([]);
});

test('a value that a later file filled in is told from that file, until it is undone', async () => {
  const user = await product.user();
  const first = await importFile(product, user, 'Company,Phone\nAcme Fill,415-555-0141\nOak Fill,415-555-0142\n');
  const lead = (await leadsOf(first.list))[1];
  const second = await importFile(
    product,
    user,
    'Company,Phone,Email,Website,Id\nNew Fill,415-555-0143,,,\nOak Fill,415-555-0142,info@oak-fill.example,oak-fill.example,7\n',
    { duplicates: 'update' },
  );
  const fileOf = async (id = lead?.id ?? '') => (await user.call(getProvenanceEndpoint, undefined, { id })).file;
  const { name } = await user.call(getImportEndpoint, undefined, { id: second.id });
  const filled = {
    name,
    row: 3,
    fields: ['email', 'website'],
    extra: [{ header: 'Id', value: '7' }],
    originals: { website: 'oak-fill.example' },
  };
  expect(await fileOf()).toMatchObject({
    row: 3,
    originals: { phone: '415-555-0142' },
    extra: [],
    filled: [filled],
  });
  // A copy says the same.
  const { list_id: copied } = await user.call(duplicateListEndpoint, { list_id: first.list });
  const copy = (await leadsOf(copied)).find(({ business_name }) => business_name === 'Oak Fill');
  expect(await fileOf(copy?.id)).toMatchObject({ row: 3, extra: [], filled: [filled] });
  await user.call(undoImportEndpoint, undefined, { id: second.id });
  expect(await fileOf()).toMatchObject({ row: 3, filled: [] });
});

test('undoing calls a list checked again only where no number in it is open', async () => {
  const user = await product.user();
  const leads = [
    { business_name: 'One', email: 'one@flag.example' },
    { business_name: 'Two', phone: '+1 415-555-0171', ...SAFE },
  ];
  const own = await buildListOf(product.db, user.id, leads, { sandbox: false, compliance_checked: true });
  const isChecked = async () => (await readList(product.db, own)).compliance_checked;
  const fillAndUndo = async (between: () => Promise<unknown>) => {
    const { id } = await importFile(product, user, 'name,phone,email\nOne,4155550172,one@flag.example\n', {
      duplicates: 'update',
    });
    expect(await isChecked()).toBe(false);
    await between();
    await user.call(undoImportEndpoint, undefined, { id });
    return isChecked();
  };
  expect(await fillAndUndo(async () => undefined)).toBe(true);
  const other = await buildListOf(product.db, user.id, [{ business_name: 'Never', phone: '+1 415-555-0173' }], {
    sandbox: false,
  });
  const copied = await fillAndUndo(() => user.call(copyLeadsEndpoint, { to: { list_id: own } }, { listId: other }));
  expect(copied).toBe(false);
});

test('verdicts that stand beside another number since before are taken away, and those of their own number stay', async () => {
  const user = await product.user();
  const old = { compliance_status: 'safe', compliance_checked_at: new Date('2026-11-20T12:00:00Z') };
  const scrub = { provider: 'searchbug', operation: 'phone_scrub', subject: '4155550128', idempotency_key: user.id };
  const { id: compliance_call_id } = await product.db
    .insertInto('app.paid_calls')
    .values({ ...scrub, user_id: user.id, estimate_micros: 0, sandbox: false })
    .returning('id')
    .executeTakeFirstOrThrow();
  const own = await buildListOf(
    product.db,
    user.id,
    [
      { business_name: 'Filled', email: 'filled@verdict.example' },
      { business_name: 'Gone', phone: null, ...old, phone_type: 'landline' },
      { business_name: 'Own', phone: '+1 415-555-0127', ...old },
      { business_name: 'Own as well', phone: '+1 415-555-0128', ...old, compliance_call_id },
      { business_name: 'Copied', phone: '+1 415-555-0129', ...old, compliance_call_id },
    ],
    { sandbox: false },
  );
  await importFile(product, user, 'name,phone,email\nFilled,4155550126,filled@verdict.example\n', {
    duplicates: 'update',
  });
  await product.db.updateTable('leads').set(old).where('business_name', '=', 'Filled').execute();
  await product.db.updateTable('lists').set({ compliance_checked: true }).where('id', '=', own).execute();
  for (const { file, sql: text } of productMigrations())
    if (file.endsWith('_verdict_of_its_number.sql'))
      await sql.raw(text.slice(text.indexOf('with cleared'))).execute(product.db);
  const cleared = { compliance_status: 'not_checked', compliance_checked_at: null, phone_type: null };
  expect(await leadsOf(own)).toMatchObject([cleared, cleared, old, old, cleared]);
  expect((await readList(product.db, own)).compliance_checked).toBe(false);
});

test('undoing leaves a value that was changed since, and leads of elsewhere', async () => {
  const user = await product.user();
  const own = await buildListOf(product.db, user.id, [{ business_name: 'One', phone: '+1 415-555-0131' }], {
    sandbox: false,
  });
  const text = 'name,phone,email,website\nOne,4155550131,one@one.example,one.example\nNew,4155550132,,\n';
  const done = await importFile(product, user, text, { duplicates: 'update' });
  await product.db.updateTable('leads').set({ email: 'mine@one.example' }).where('list_id', '=', own).execute();
  await product.db
    .insertInto('leads')
    .values({ list_id: done.list, position: 90, business_name: 'Moved here' })
    .execute();
  expect(await user.call(undoImportEndpoint, undefined, { id: done.id })).toEqual({
    removed: 1,
    restored: 0,
    changedSince: 1,
  });
  expect(await leadsOf(own)).toMatchObject([{ email: 'mine@one.example', website: null }]);
  expect(await leadsOf(done.list)).toMatchObject([{ business_name: 'Moved here' }]);
  expect(await readList(product.db, done.list)).toMatchObject({ lead_count: 1 });
});

test('undoing leaves a lead that a later file filled, until that file is undone as well', async () => {
  const user = await product.user();
  await buildListOf(product.db, user.id, [{ business_name: 'Other' }], { sandbox: false });
  const before = await bytesOf(user);
  const update = { duplicates: 'update' } as const;
  const first = await importFile(product, user, 'name,phone,city\nEps,4155550151,Austin\nZeta,4155550152,\n', update);
  const second = await importFile(product, user, 'name,phone,email\nEps,4155550151,eps@eps.example\n', update);
  expect(second).toMatchObject({ added: 0, updated: 1 });
  const get = (id: string) => user.call(getImportEndpoint, undefined, { id });
  const undo = (id: string) => user.call(undoImportEndpoint, undefined, { id });
  expect([(await get(first.id)).filledSince, (await get(second.id)).filledSince]).toEqual([1, 0]);
  expect(await undo(first.id)).toEqual({ removed: 1, restored: 0, changedSince: 1 });
  expect(await leadsOf(first.list)).toMatchObject([
    { business_name: 'Eps', email: 'eps@eps.example', address: 'Austin' },
  ]);
  expect(await readList(product.db, first.list)).toMatchObject({ lead_count: 1, has_emails: true });
  expect(await undo(second.id)).toEqual({ removed: 1, restored: 0, changedSince: 0 });
  expect(await bytesOf(user)).toBe(before);
});

test('a later file that is undone first leaves the lead of the earlier one as it was', async () => {
  const user = await product.user();
  const first = await importFile(product, user, 'name,phone\nEta,4155550153\n');
  const before = await leadsOf(first.list);
  const second = await importFile(product, user, 'name,phone,email\nEta,4155550153,eta@eta.example\n', {
    duplicates: 'update',
  });
  expect(await user.call(undoImportEndpoint, undefined, { id: second.id })).toMatchObject({ removed: 0, restored: 1 });
  expect(await leadsOf(first.list)).toEqual(before);
  expect(await user.call(undoImportEndpoint, undefined, { id: first.id })).toMatchObject({
    removed: 1,
    changedSince: 0,
  });
});

test('the mapping can be changed, is remembered for the same headers, and one that is wrong is refused', async () => {
  const user = await product.user();
  const text = 'alpha,beta,gamma\nInvented One,4155550141,note\nInvented Two,4155550142,other\n';
  const { importId } = await uploadFile(product, user, text);
  const check = (mapping: Record<string, 'owner_name' | 'skip' | 'extra' | null>) =>
    user.call(checkImportEndpoint, { mapping }, { id: importId });
  await expect(check({ delta: 'skip' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await expect(check({ alpha: null, beta: null, gamma: null })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect((await check({ gamma: 'owner_name' })).preview[0]?.values).toMatchObject({ owner_name: 'note' });
  await user.call(
    startImportEndpoint,
    { duplicates: 'add', listName: 'x', mapping: { gamma: 'owner_name' } },
    { id: importId },
  );
  await importEnd(user, importId);
  const again = await uploadFile(product, user, text);
  expect(again).toMatchObject({ remembered: true, mapping: { gamma: 'owner_name' }, inLists: 2 });
  expect(again.importedBefore).not.toBeNull();
  const turned = await uploadFile(product, user, 'GAMMA,beta,Alpha\nnote,4155550141,Invented One\n');
  expect(turned).toMatchObject({ remembered: true, mapping: { GAMMA: 'owner_name', Alpha: 'business_name' } });
  const umlauts = await uploadFile(product, user, 'Company,Phone,CAFÉ,\nOak,4155550143,note,x\n');
  await user.call(
    startImportEndpoint,
    { duplicates: 'add', listName: 'y', mapping: { CAFÉ: 'owner_name' } },
    { id: umlauts.importId },
  );
  await importEnd(user, umlauts.importId);
  expect(await uploadFile(product, user, 'company,PHONE,café,\nOak,4155550143,note,x\n')).toMatchObject({
    remembered: true,
    mapping: { café: 'owner_name' },
  });
  for (const other of ['gamma,beta,alpha,delta', 'gamma,beta,'])
    expect(await uploadFile(product, user, `${other}\nx,4155550141,y,z\n`)).toMatchObject({ remembered: false });
  await expect(user.call(checkImportEndpoint, { mapping: {} }, { id: importId })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('what cannot be read is refused with words, and leaves nothing behind', async () => {
  const user = await product.user();
  const refused = async (file: string | Uint8Array<ArrayBuffer>, type: string, code: string) =>
    expect(uploadFile(product, user, file, { type }), type).rejects.toMatchObject({ code });
  await expect(uploadFile(product, user, '{}', { type: 'image/png' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Choose a CSV, TSV or XLSX file.',
  });
  await refused('', 'text/csv', 'VALIDATION_FAILED');
  await refused('\n\n,,\n', 'text/csv', 'VALIDATION_FAILED');
  await refused(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0]), 'text/csv', 'VALIDATION_FAILED');
  await refused(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'application/vnd.ms-excel', 'VALIDATION_FAILED');
  const large = await product.request('/api/imports?name=x', {
    method: 'POST',
    headers: {
      authorization: await user.authorization(),
      'content-type': 'text/csv',
      'content-length': String(MOST_IMPORT_BYTES + 1),
    },
    body: 'a,b\n',
  });
  expect(large.status).toBe(413);
  expect(await user.call(listImportsEndpoint)).toEqual({ imports: [] });
  expect(await product.db.selectFrom('app.imports').select('id').where('user_id', '=', user.id).execute()).toEqual([]);
  for (let file = 0; file < 5; file += 1) await uploadFile(product, user, `name\nInvented ${file}\n`);
  await refused('name\nOne more\n', 'text/csv', 'CONFLICT');
});

test('a column may be called as what every object has', async () => {
  const user = await product.user();
  const headers = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const text = `name,phone,${headers.join(',')}\nTheta,4155550161,a,b,c,d\nIota,4155550162,,,,\n`;
  const done = await importFile(product, user, text, { duplicates: 'update' });
  const extra = { constructor: 'a', toString: 'b', '__proto__ (2)': 'c', hasOwnProperty: 'd' };
  const [theta, iota] = await leadsOf(done.list);
  expect(theta?.extra).toEqual(extra);
  expect(iota?.extra).toEqual({});
  const exported = await exportRows(product, user, done.list);
  expect(exported.map((row) => Object.keys(extra).map((header) => row[header]))).toEqual([
    ['a', 'b', 'c', 'd'],
    ['', '', '', ''],
  ]);
  // A later file fills them, too.
  await importFile(product, user, text.replace('Iota,4155550162,,,,', 'Iota,4155550162,e,f,g,h'), {
    duplicates: 'update',
  });
  expect((await leadsOf(done.list))[1]?.extra).toMatchObject({ constructor: 'e', toString: 'f', '__proto__ (2)': 'g' });
});

test('a file with too many columns is refused before any of it is stored', async () => {
  const user = await product.user();
  const columns = Array.from({ length: 250 }, (_, at) => at);
  const wide = (header: string) =>
    `${columns.map((at) => `${header} ${at}`).join(',')}\n${columns.map((at) => `v${at}`).join(',')}\n`;
  await expect(uploadFile(product, user, wide('Column'))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining('at most 200'),
  });
  expect(await user.call(listImportsEndpoint)).toEqual({ imports: [] });
  // Empty ones behind the last are none.
  expect(
    await uploadFile(product, user, `name,phone${','.repeat(300)}\nKappa,4155550163${','.repeat(300)}\n`),
  ).toMatchObject({ rows: 1 });
});

test('no one reaches the import of someone else', async () => {
  const [user, other] = [await product.user(), await product.user()];
  const { importId: id } = await uploadFile(product, user, FILE);
  const gone = { code: 'NOT_FOUND' };
  await expect(other.call(getImportEndpoint, undefined, { id })).rejects.toMatchObject(gone);
  await expect(other.call(checkImportEndpoint, { mapping: {} }, { id })).rejects.toMatchObject(gone);
  await expect(other.call(startImportEndpoint, { duplicates: 'add', listName: 'x' }, { id })).rejects.toMatchObject(
    gone,
  );
  await expect(other.call(cancelImportEndpoint, undefined, { id })).rejects.toMatchObject(gone);
  await expect(other.call(undoImportEndpoint, undefined, { id })).rejects.toMatchObject(gone);
  await expect(other.call(keepImportEndpoint, { retention: 'keep' }, { id })).rejects.toMatchObject(gone);
  expect((await other.get(`/api/imports/${id}/errors.csv`)).status).toBe(404);
  expect(await user.call(cancelImportEndpoint, undefined, { id })).toEqual({ canceled: true });
  await expect(user.call(getImportEndpoint, undefined, { id })).rejects.toMatchObject(gone);
});

test('an imported list holds real data: sandbox keys are refused on it', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-import');
  const { list } = await importFile(product, user, 'name,website\nInvented,https://invented.example\n');
  await expect(user.call(enrichEmailsEndpoint, { list_id: list })).rejects.toMatchObject({ code: 'SANDBOX_MISMATCH' });
});

test('it is kept as long as its owner says', async () => {
  const user = await product.user();
  const done = await importFile(product, user, 'name,website\nInvented,https://invented.example\n');
  expect(done.retention).toBe('archive');
  expect(await user.call(keepImportEndpoint, { retention: 'keep' }, { id: done.id })).toEqual({ retention: 'keep' });
  expect(await readList(product.db, done.list)).toMatchObject({ keep: true });
});

test('what Google told is not kept for good, by whatever way it comes', async () => {
  const user = await product.user();
  const real = { sandbox: false };
  const googles = await buildListOf(product.db, user.id, [], real);
  await tellPlaces(product.db, googles, [{ name: 'Told Dental', phone: '+1 217-555-0147', address: '1 Oak St' }]);
  const open = await buildListOf(
    product.db,
    user.id,
    [{ business_name: 'Open', sources: { business_name: 'open:1' } }],
    real,
  );
  const kept = async (file: string) => {
    const done = await importFile(product, user, file, { duplicates: 'add' });
    const keep = () => user.call(keepImportEndpoint, { retention: 'keep' }, { id: done.id });
    return { list: done.list, keep };
  };
  const mine = await kept('name,phone\nMine,217-555-0148\n');
  await mine.keep();
  const copy = (from: string, more: object) =>
    user.call(copyLeadsEndpoint, { to: { list_id: mine.list }, ...more }, { listId: from });
  for (const how of [{}, { remove: true }, { archive: true }])
    await expect(copy(googles, how)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is kept for good, and Google lets no one keep its values.'),
    });
  expect(await readLeads(product.db, googles)).toHaveLength(1);
  expect(await copy(open, {})).toMatchObject({ copied: 1 });
  // A file that brings them back holds them as well, in whatever column.
  const back = await kept('name,Notes\nBack,call 217 555 0147\n');
  await expect(back.keep()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await readList(product.db, back.list)).toMatchObject({ keep: false });
});

test('sheets of which nothing is read are named, also when the file is looked at later', async () => {
  const user = await product.user();
  const type = 'application/octet-stream';
  const file = await uploadFile(product, user, spreadsheet([['Company'], ['Acme Dental']], [], 'Boston'), { type });
  expect(file).toMatchObject({ rows: 1, otherSheets: ['Boston'] });
  const later = await user.call(getImportEndpoint, undefined, { id: file.importId });
  expect(later.file?.otherSheets).toEqual(['Boston']);
  await user.call(startImportEndpoint, { duplicates: 'skip', listName: 'Acme' }, { id: file.importId });
  expect(await importEnd(user, file.importId)).toMatchObject({ state: 'completed', otherSheets: ['Boston'] });
});

test('what a file says of a value that it filled in a lead of no file is kept as it is written', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'Pine', email: 'a@pine.example' }], {
    sandbox: false,
  });
  const text = 'Company,Phone,Email\nPine,(415) 555 0144,a@pine.example\n';
  await importFile(product, user, text, { duplicates: 'update' });
  const [lead] = await leadsOf(listId);
  const fileOf = async (id = '') => (await user.call(getProvenanceEndpoint, undefined, { id })).file;
  const told = { row: 2, originals: { phone: '(415) 555 0144' }, filled: [] };
  expect(await fileOf(lead?.id)).toMatchObject(told);
  await sql`update public.leads set place_id = 'pine' where id = ${lead?.id}`.execute(product.db);
  const { list_id: copied } = await user.call(duplicateListEndpoint, { list_id: listId });
  expect(await fileOf((await leadsOf(copied))[0]?.id)).toMatchObject(told);
  await sql`update public.leads set phone = null where list_id = ${copied}`.execute(product.db);
  expect(await fileOf((await leadsOf(copied))[0]?.id)).toBeNull();
});
