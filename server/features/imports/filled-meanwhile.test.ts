import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { getImportEndpoint, startImportEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { importEnd, importFile, uploadFile } from '#test/imports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

/** How many sessions wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(product.db);
  return rows[0]?.waiting ?? 0;
}

async function untilWaiting(sessions: number): Promise<void> {
  while ((await waiting()) < sessions) await sleep(20);
}

/** Fills a lead from a file, and enriches its list before that is committed. */
async function enrichWhileFilling(user: TestUser, listId: string, file: string, steps: EnrichmentStep[]) {
  const { importId } = await uploadFile(product, user, file);
  const enriching = await product.db.transaction().execute(async (tx) => {
    await sql`lock table app.import_updates in exclusive mode`.execute(tx);
    await user.call(startImportEndpoint, { duplicates: 'update', mapping: {}, listName: 'More' }, { id: importId });
    await untilWaiting(1);
    const enrichment = user.call(enrichEmailsEndpoint, { list_id: listId, steps });
    await untilWaiting(2);
    return { enrichment };
  });
  await enriching.enrichment;
  expect(await importEnd(user, importId)).toMatchObject({ state: 'completed', updated: 1 });
  const [lead] = await readLeads(product.db, listId);
  return lead;
}

test.each([false, true])(
  'a website replaces no email of a file that comes meanwhile (flagged: %s)',
  async (flagged) => {
    const user = await product.user();
    const domain = `old-firm-${flagged}.example`;
    const lead = { business_name: 'Old Firm', phone: '+1 415-555-0111', website: `https://${domain}` };
    const list = await buildListOf(product.db, user.id, [lead], { sandbox: false, has_emails: flagged });
    const email = { email: `web@${domain}`, page: `https://${domain}/`, mail: 'accepts' };
    const visit = { status: 'found', emails: [email], phones: [], profiles: [], email };
    await sql`
    insert into app.website_answers (sandbox, domain, visit, expires_at)
    values (false, ${domain}, ${JSON.stringify(visit)}::jsonb, now() + interval '9 days')`.execute(product.db);
    const file = `Company,Phone,Email\nOld Firm,415-555-0111,mine@${domain}\n`;
    expect(await enrichWhileFilling(user, list, file, ['website'])).toMatchObject({
      email: `mine@${domain}`,
      sources: { email: 'file' },
    });
  },
);

test('a paid search replaces no email of a file that comes meanwhile', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'real-hunter-meanwhile');
  const website = 'https://planted-3.example';
  const real = { sandbox: false, has_emails: true, has_contacts: true };
  const before = await buildListOf(product.db, user.id, [{ business_name: 'Other', website }], real);
  await user.call(enrichEmailsEndpoint, { list_id: before, steps: ['hunter'] });
  const lead = { business_name: 'Old Firm', phone: '+1 415-555-0112', website };
  const list = await buildListOf(product.db, user.id, [lead], real);
  const file = 'Company,Phone,Email\nOld Firm,415-555-0112,mine@planted-3.example\n';
  expect(await enrichWhileFilling(user, list, file, ['hunter'])).toMatchObject({
    email: 'mine@planted-3.example',
    email_call_id: null,
    sources: { email: 'file' },
  });
});

test('a row whose lead is archived with its list before it is filled becomes a lead of the file', async () => {
  const user = await product.user();
  const lead = { business_name: 'Old Firm', phone: '+1 415-555-0113' };
  const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  const { importId } = await uploadFile(product, user, 'Company,Phone,Email\nOld Firm,415-555-0113,mine@old.example\n');
  await product.db.transaction().execute(async (tx) => {
    await tx.selectFrom('lists').select('id').where('id', '=', list).forUpdate().execute();
    await user.call(startImportEndpoint, { duplicates: 'update', mapping: {}, listName: 'More' }, { id: importId });
    await untilWaiting(1);
    await tx.updateTable('lists').set({ lifecycle_status: 'archived' }).where('id', '=', list).execute();
  });
  expect(await importEnd(user, importId)).toMatchObject({ state: 'completed', added: 1, updated: 0 });
  expect(await readLeads(product.db, list)).toMatchObject([{ email: null }]);
});

test('a row that would be skipped for a lead becomes one, where that lead is deleted or archived before its turn', async () => {
  const user = await product.user();
  const phones = ['415-555-0114', '415-555-0115', '415-555-0116'];
  const listOf = (phone: string | undefined) =>
    buildListOf(product.db, user.id, [{ business_name: 'Old Firm', phone: `+1 ${phone}` }], { sandbox: false });
  const [deleted, archived] = [await listOf(phones[0]), await listOf(phones[1])];
  await listOf(phones[2]);
  const file = `Company,Phone\n${phones.map((phone) => `Old Firm,${phone}`).join('\n')}\n`;
  const { importId } = await uploadFile(product, user, file);
  await product.db.transaction().execute(async (tx) => {
    // Parts wait for this, and the plan of their rows does not.
    await sql`select app.await_writers('imports')`.execute(tx);
    await user.call(startImportEndpoint, { duplicates: 'skip', mapping: {}, listName: 'More' }, { id: importId });
    await untilWaiting(1);
    await tx.deleteFrom('lists').where('id', '=', deleted).execute();
    await tx.updateTable('lists').set({ lifecycle_status: 'archived' }).where('id', '=', archived).execute();
  });
  expect(await importEnd(user, importId)).toMatchObject({ state: 'completed', added: 2, skipped: 1 });
});

test.each([{ remove: true }, { archive: true }])(
  'a lead that joined one of a file does not go with the file (%j)',
  async (how) => {
    const user = await product.user();
    const file = 'Company,Phone\nOld Firm,415-555-0117\nOther,415-555-0118\n';
    const { id, list } = await importFile(product, user, file);
    const mine = { business_name: 'Old Firm', phone: '+1 415-555-0117', email: 'bought@old.example' };
    const theirs = await buildListOf(product.db, user.id, [mine], { sandbox: false });
    await user.call(copyLeadsEndpoint, { to: { list_id: list }, ...how }, { listId: theirs });
    expect(await user.call(getImportEndpoint, undefined, { id })).toMatchObject({ filledSince: 1 });
    expect(await user.call(undoImportEndpoint, undefined, { id })).toMatchObject({ removed: 1, changedSince: 1 });
    expect(await readLeads(product.db, list)).toMatchObject([
      { phone: '+1 415-555-0117', email: 'bought@old.example' },
    ]);
  },
);

const FILL = [
  'Company,Phone,Email,Owner Name,Website,Do Not Call,Notes',
  'Old Firm,415-555-0121,Desk@old.example,Ann Example,old.example,yes,mine',
].join('\n');

test.each([{ remove: true }, { archive: true }])(
  'what a lead had that joined one which a file filled does not go with the file (%j)',
  async (how) => {
    const user = await product.user();
    const lead = { business_name: 'Old Firm', phone: '+1 415-555-0121' };
    const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
    const { id } = await importFile(product, user, FILL, { duplicates: 'update' });
    const own = {
      email: 'desk@old.example',
      email_confidence: 91,
      website: 'https://old.example/',
      owner_name: 'ann example',
      owner_title: 'Chief',
      extra: { 'Do Not Call': 'yes' },
      sources: { website: 'website' },
    };
    const bought = { ...lead, ...own, extra: JSON.stringify(own.extra), sources: JSON.stringify(own.sources) };
    const theirs = await buildListOf(product.db, user.id, [bought], { sandbox: false });
    await user.call(copyLeadsEndpoint, { to: { list_id: list }, ...how }, { listId: theirs });
    expect(await readLeads(product.db, list)).toMatchObject([{ email: 'Desk@old.example', extra: { Notes: 'mine' } }]);
    expect(await user.call(undoImportEndpoint, undefined, { id })).toMatchObject({ restored: 1, changedSince: 0 });
    const [left] = await readLeads(product.db, list);
    expect(left).toMatchObject(own);
    expect(left?.extra).toEqual(own.extra);
    expect(left?.sources).toEqual(own.sources);
  },
);

test('what a copy told of an email and an owner of a file goes with them', async () => {
  const user = await product.user();
  const lead = { business_name: 'Old Firm', phone: '+1 415-555-0121' };
  const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  const before = await readLeads(product.db, list);
  const { id } = await importFile(product, user, FILL, { duplicates: 'update' });
  const call = { provider: 'hunter_io', operation: 'domain_search', subject: 'old.example', idempotency_key: id };
  const { id: callId } = await product.db
    .insertInto('app.paid_calls')
    .values({ ...call, user_id: user.id, estimate_micros: 0, sandbox: false })
    .returning('id')
    .executeTakeFirstOrThrow();
  const bought = {
    ...lead,
    email: 'desk@old.example',
    email_confidence: 91,
    email_call_id: callId,
    owner_name: 'Ann Example',
    owner_title: 'Chief',
    owner_call_id: callId,
  };
  const theirs = await buildListOf(product.db, user.id, [bought], { sandbox: false });
  await user.call(copyLeadsEndpoint, { to: { list_id: list } }, { listId: theirs });
  expect(await readLeads(product.db, list)).toMatchObject([{ email_call_id: callId, owner_title: 'Chief' }]);
  await user.call(undoImportEndpoint, undefined, { id });
  expect(await readLeads(product.db, list)).toEqual(before);
});

test('a lead of a file that only went out and came back goes with the file', async () => {
  const user = await product.user();
  const { id, list } = await importFile(product, user, 'Company,Phone\nOld Firm,415-555-0119\n');
  const { list_id: copy } = await user.call(copyLeadsEndpoint, { to: { name: 'Copy' } }, { listId: list });
  await user.call(copyLeadsEndpoint, { to: { list_id: list }, archive: true }, { listId: copy });
  expect(await user.call(undoImportEndpoint, undefined, { id })).toMatchObject({ removed: 1, changedSince: 0 });
});

test('a field that a file filled is empty again after its undoing, also where the lead was moved since', async () => {
  const user = await product.user();
  const lead = { business_name: 'Old Firm', phone: '+1 415-555-0120' };
  const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  const file = 'Company,Phone,Email\nOld Firm,415-555-0120,mine@old.example\n';
  const { id } = await importFile(product, user, file, { duplicates: 'update' });
  const { list_id: moved } = await user.call(
    copyLeadsEndpoint,
    { to: { name: 'Moved' }, remove: true },
    { listId: list },
  );
  expect(await readLeads(product.db, moved)).toMatchObject([{ email: 'mine@old.example' }]);
  expect(await user.call(undoImportEndpoint, undefined, { id })).toMatchObject({ restored: 1, changedSince: 0 });
  expect(await readLeads(product.db, moved)).toMatchObject([{ email: null, sources: {} }]);
});

test('an import that has ended deletes its rows, and waits for none that someone holds', async () => {
  const user = await product.user();
  const { importId } = await uploadFile(product, user, 'Company,Phone\nOne,415-555-0171\nTwo,415-555-0172\n');
  const rows = () => product.db.selectFrom('app.import_rows').select('row').where('import_id', '=', importId).execute();
  await product.db.transaction().execute(async (tx) => {
    await sql`select from app.import_rows where import_id = ${importId} order by row limit 1 for update`.execute(tx);
    await user.call(startImportEndpoint, { duplicates: 'add', mapping: {}, listName: 'Held' }, { id: importId });
    expect(await importEnd(user, importId)).toMatchObject({ state: 'completed' });
    await expect.poll(rows).toHaveLength(1);
  });
});
