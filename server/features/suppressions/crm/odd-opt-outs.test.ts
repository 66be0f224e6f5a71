import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  eraseContactEndpoint,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import { addSuppressionEndpoint, listSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import { type Crm, type CrmContact, ProviderError } from '#providers/provider.ts';
import type { CrmDesk } from '#server/crm/crm-desk.ts';
import { connectCrm } from '#test/crm.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { pullOptOuts } from './pull-opt-outs.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
  await connectCrm(product, admin, 'real-client');
});
beforeEach(async () => {
  await sql`delete from app.suppressions`.execute(product.db);
  await sql`delete from app.crm_asked`.execute(product.db);
  await product.db.deleteFrom('lists').execute();
});

/** Pulls from a CRM that says what is given, with what is chosen. `goesOn`: from where the last one ended. */
async function pullFrom(says: Partial<Crm>, chosen: 'tag' | 'statuses', { goesOn = false } = {}) {
  await admin.call(saveSuppressionSettingsEndpoint, {
    publicPage: false,
    crmStatuses: chosen === 'statuses',
    crmTag: chosen === 'tag' ? { id: '1004', name: 'Do not contact' } : null,
  });
  await sql`update app.crm_pull set started_at = null, ended_at = null,
    lead_cursor = case when ${goesOn} then lead_cursor end`.execute(product.db);
  const crm: CrmDesk = { ask: (question) => question(says as Crm, 'token'), refreshWhenDue: async () => {} };
  await pullOptOuts({ ...product.workerDeps, crm }, new AbortController().signal);
  return (await admin.call(suppressionSourcesEndpoint)).pull;
}
const tagged = (contact: Omit<CrmContact, 'id'>): Partial<Crm> => ({
  taggedPage: async () => ({ ids: ['1'] }),
  contactsById: async () => [{ id: '1', ...contact }],
});
const values = async () => (await user.call(listSuppressionsEndpoint)).items.map(({ value }) => value).toSorted();

test('numbers and addresses are read as people write them, and what stays unread is named', async () => {
  const pull = await pullFrom(
    tagged({
      phones: [
        '(303) 555-0161 (cell)',
        '\u202a+1 303-555-0162\u202c',
        '303-555-0163 or 303-555-0164',
        'Cell 303-555-0165',
        '303-555-0166 ext-5',
        '303.555.0167 x4; 303-555-0168 - home',
        'ask at the office',
      ],
      emails: ['a@x.example; b@x.example', 'c@x.example and d@x.example', 'none'],
    }),
    'tag',
  );
  expect(await values()).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((last) => `+1303555016${last}`),
    ...['a', 'b', 'c', 'd'].map((name) => `${name}@x.example`),
  ]);
  expect(pull).toMatchObject({
    added: 12,
    failure: null,
    leftOut: '2 opt-outs could not be read: “none”, “ask at the office”.',
  });
});

test('an erased contact is not named among what stays unread', async () => {
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '303-555-0171' });
  await admin.call(eraseContactEndpoint, { kind: 'email', value: 'gone@x.example' });
  const phones = ['303-555-0171 cell 2', '303-555-0172 cell 2'];
  const pull = await pullFrom(tagged({ phones, emails: ['see gone@x.example 2'] }), 'tag');
  expect(pull.leftOut).toBe('3 opt-outs could not be read: “[erased]”, “[erased]”, “303-555-0172 cell 2”.');
});

test('a contact that is erased during a pull is not named by it afterwards', async () => {
  const pages = tagged({ phones: ['303-555-0173 cell 2'], emails: [] });
  const says: Partial<Crm> = {
    ...pages,
    async taggedPage(_token, _tag, page) {
      if (page === undefined) return { ids: ['1'], nextPageToken: '2' };
      await admin.call(eraseContactEndpoint, { kind: 'phone', value: '303-555-0173' });
      return { ids: [] };
    },
  };
  expect((await pullFrom(says, 'tag')).leftOut).toBe('[erased]');
});

test('contacts that hold the tag and of which the CRM says nothing are named, and stop no other', async () => {
  const pull = await pullFrom(
    {
      taggedPage: async () => ({ ids: ['1', '2', '3'] }),
      contactsById: async () => [{ id: '2', phones: ['303-555-0174', '[object]'], emails: [] }],
    },
    'tag',
  );
  expect(await values()).toEqual(['+13035550174']);
  expect(pull).toMatchObject({
    contacts: 1,
    failure: null,
    leftOut: '1 opt-out could not be read: “[object]”. Keap did not return 2 contacts with the tag: “1”, “3”.',
  });
});

const refusal = (kind: ProviderError['kind']) => new ProviderError('keap', kind, 'Keap did not understand.');

test.each(['bad_request', 'unknown_shape'] as const)('an address that fails with %s stops no other', async (kind) => {
  const emails = ['one@a.example', 'j***@b.example', 'gone@c.example'];
  await buildListOf(
    product.db,
    user.id,
    emails.map((email) => ({ email })),
    { sandbox: false },
  );
  const asked: string[] = [];
  const says: Partial<Crm> = {
    async emailStatus(_token, email) {
      asked.push(email);
      if (email.includes('*')) throw refusal(kind);
      return { status: 'X', stops: email.startsWith('gone') };
    },
  };
  const pull = await pullFrom(says, 'statuses');
  expect(pull).toMatchObject({
    addresses: 3,
    added: 1,
    failure: null,
    completeAt: expect.any(String),
    leftOut: 'Keap did not accept 1 address: “j***@b.example”.',
  });
  expect(asked.toSorted()).toEqual(emails.toSorted());
  expect(await values()).toEqual(['gone@c.example']);
  // It is named for as long as no one knows whether it has opted out.
  expect(await pullFrom(says, 'statuses')).toMatchObject({
    addresses: 0,
    failure: null,
    leftOut: 'Keap did not accept 1 address: “j***@b.example”.',
  });
  expect(asked).toHaveLength(3);
  await user.call(addSuppressionEndpoint, { kind: 'domain', value: 'b.example' });
  expect((await admin.call(suppressionSourcesEndpoint)).pull.leftOut).toBeNull();
  await sql`delete from app.suppressions`.execute(product.db);
  await sql`update app.crm_asked set asked_at = now() - interval '8 days'`.execute(product.db);
  says.emailStatus = async () => ({ status: 'CONFIRMED', stops: false });
  expect(await pullFrom(says, 'statuses')).toMatchObject({ addresses: 3, leftOut: null });
});

test('a CRM that takes no address at all has failed, and is asked about all of them again', async () => {
  const emails = Array.from({ length: 45 }, (_, at) => `a${at}@many.example`);
  await buildListOf(
    product.db,
    user.id,
    emails.map((email) => ({ email })),
    { sandbox: false },
  );
  const failing = { emailStatus: () => Promise.reject(refusal('unknown_shape')) };
  for (let pulls = 0; pulls < 2; pulls += 1)
    expect(await pullFrom(failing, 'statuses')).toMatchObject({ failure: 'Keap did not understand.', addresses: 0 });
  const pull = await pullFrom({ emailStatus: async () => ({ status: 'X', stops: true }) }, 'statuses');
  expect(pull).toMatchObject({ addresses: 45, added: 45, failure: null, leftOut: null });
  expect(await values()).toEqual(emails.toSorted());
});

test('addresses that fail one after the other keep no pull from those behind them', async () => {
  const emails = Array.from({ length: 45 }, (_, at) => `a${at}@many.example`);
  await buildListOf(
    product.db,
    user.id,
    emails.map((email) => ({ email })),
    { sandbox: false },
  );
  const first = new Set<string>();
  const says: Partial<Crm> = {
    async emailStatus(_token, email) {
      if (first.size < 30) first.add(email);
      if (first.has(email)) throw refusal('bad_request');
      return { status: 'X', stops: true };
    },
  };
  expect(await pullFrom(says, 'statuses')).toMatchObject({ failure: 'Keap did not understand.', added: 0 });
  await pullFrom(says, 'statuses', { goesOn: true });
  expect(await values()).toEqual(emails.filter((email) => !first.has(email)).toSorted());
});

test('a few addresses that all fail are asked about again by the next pull', async () => {
  await buildListOf(product.db, user.id, [{ email: 'one@few.example' }, { email: 'two@few.example' }], {
    sandbox: false,
  });
  const pull = await pullFrom({ emailStatus: () => Promise.reject(refusal('unknown_shape')) }, 'statuses');
  expect(pull).toMatchObject({ addresses: 0, leftOut: expect.stringContaining('did not accept 2 addresses') });
  await pullFrom({ emailStatus: async () => ({ status: 'X', stops: true }) }, 'statuses');
  expect(await values()).toEqual(['one@few.example', 'two@few.example']);
});
