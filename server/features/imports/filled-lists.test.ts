import { beforeAll, expect, test } from 'vitest';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { importFile, uploadFile } from '#test/imports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const archived = { sandbox: false, lifecycle_status: 'archived', archived_at: new Date() };
const FILE = 'Company,Phone,Email\nOld Firm,415-555-0111,desk@old-firm.example\n';

test.each(['skip', 'update'] as const)(
  'a lead of an archived list, which is deleted soon, does not count (%s)',
  async (duplicates) => {
    const user = await product.user();
    const theirs = [{ business_name: 'Old', phone: '+1 415-555-0111' }];
    const list = await buildListOf(product.db, user.id, theirs, archived);
    await user.call(addSuppressionEndpoint, { kind: 'phone', value: '415-555-0111' });
    expect(await uploadFile(product, user, FILE)).toMatchObject({ duplicates: 0, inLists: 0, suppressed: 1 });
    expect(await importFile(product, user, FILE, { duplicates })).toMatchObject({ added: 1, updated: 0, skipped: 0 });
    expect(await readLeads(product.db, list)).toMatchObject([{ email: null }]);
  },
);

test('of a lead and its copy, the one in the newest active list is filled', async () => {
  const user = await product.user();
  for (let at = 0; at < 4; at += 1) {
    const lead = { business_name: 'Old Firm', phone: `+1 415-555-012${at}` };
    const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
    const { list_id: copy } = await user.call(duplicateListEndpoint, { list_id: list });
    const file = `Company,Phone,Email\nOld Firm,415-555-012${at},desk@old-firm${at}.example\n`;
    expect(await importFile(product, user, file, { duplicates: 'update' })).toMatchObject({ updated: 1 });
    expect(await readLeads(product.db, list)).toMatchObject([{ email: null }]);
    expect(await readLeads(product.db, copy)).toMatchObject([{ email: `desk@old-firm${at}.example` }]);
  }
});

test('nothing of a suppressed row fills a lead, neither of a list nor of the file, and no row is lost', async () => {
  const user = await product.user();
  const lead = { business_name: 'Open Firm', phone: '+1 415-555-0131' };
  const list = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  await user.call(addSuppressionEndpoint, { kind: 'email', value: 'boss@held-firm.example' });
  const file = [
    'Company,Phone,Email,Website,Notes',
    'Open Firm,415-555-0131,boss@held-firm.example,held-firm.example,stop',
    'New Firm,415-555-0132,,,',
    'New Firm,415-555-0132,boss@held-firm.example,,stop',
    'Held Firm,415-555-0133,boss@held-firm.example,,',
  ].join('\n');
  expect(await uploadFile(product, user, file)).toMatchObject({ rows: 4, suppressed: 3, inLists: 1 });
  const done = await importFile(product, user, file, { duplicates: 'update' });
  expect(done).toMatchObject({ added: 1, updated: 0, skipped: 3 });
  expect(await readLeads(product.db, list)).toMatchObject([{ email: null, website: null, extra: {} }]);
  expect(await readLeads(product.db, done.list)).toMatchObject([{ business_name: 'New Firm', email: null, extra: {} }]);
});

test('a title comes with its owner, and is given to no one else', async () => {
  const user = await product.user();
  const named = (at: number, owner_name: string | null) => ({
    business_name: `Firm ${at}`,
    phone: `+1 415-555-014${at}`,
    owner_name,
  });
  const leads = [named(0, 'Ann Example'), named(1, 'Bo Example'), named(2, null), named(3, null)];
  const list = await buildListOf(product.db, user.id, leads, { sandbox: false });
  const file = [
    'Company,Phone,Owner,Job Title',
    'Firm 0,415-555-0140,Cy Example,Clerk',
    'Firm 1,415-555-0141,bo example,Owner',
    'Firm 2,415-555-0142,Cy Example,Clerk',
    'Firm 3,415-555-0143,,Owner',
  ].join('\n');
  expect(await importFile(product, user, file, { duplicates: 'update' })).toMatchObject({ updated: 3, skipped: 1 });
  expect((await readLeads(product.db, list)).map((lead) => [lead.owner_name, lead.owner_title])).toEqual([
    ['Ann Example', null],
    ['Bo Example', 'Owner'],
    ['Cy Example', 'Clerk'],
    [null, 'Owner'],
  ]);
});

test('what stands for no number or address makes no two businesses one', async () => {
  const user = await product.user();
  const firms = ['Ash', 'Elm', 'Oak'].map((name) => `${name} Firm,000-000-0000,none@none.example`);
  const file = `Company,Phone,Email\n${firms.join('\n')}\nFir Firm,415-555-0151,desk@fir.example\n`;
  expect(await uploadFile(product, user, file)).toMatchObject({ rows: 4, duplicates: 0, inFile: 0, errors: 3 });
});

test('a name that stands for none makes no two of one ZIP code one', async () => {
  const user = await product.user();
  const rows = ['Self-employed', 'self-employed', '#NAME?', '#NAME?'].map(
    (name, at) => `${name},415-555-016${at},62701`,
  );
  const file = `Company,Phone,Zip\n${rows.join('\n')}\nOak Firm,415-555-0165,62701\nOak Firm,,62701\n`;
  expect(await uploadFile(product, user, file)).toMatchObject({ rows: 6, inFile: 1 });
});
