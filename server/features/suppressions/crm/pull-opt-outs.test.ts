import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  pullCrmEndpoint,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import { listSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import { connectCrm } from '#test/crm.ts';
import { buildListOf } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';
import { pullOptOuts } from './pull-opt-outs.ts';

/** Clients of the Keap that real keys reach, and of the sandbox's. */
const REAL = 'real-client';
const SANDBOX = 'sandbox-client';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});
beforeEach(async () => {
  await connectCrm(product, admin, REAL);
  await sql`delete from app.suppressions`.execute(product.db);
  await sql`delete from app.crm_asked`.execute(product.db);
  await sql`update app.suppression_settings set crm_tag_before = null`.execute(product.db);
  await sql`update app.crm_pull set started_at = null, ended_at = null, complete_at = null, asked_at = null, lead_cursor = null,
    lease_owner = null, lease_expires_at = null, failure = null`.execute(product.db);
  await product.db.deleteFrom('lists').execute();
});

const pull = (process: Process = product, signal = new AbortController().signal) =>
  pullOptOuts(process.workerDeps, signal);
const tag = { id: '1004', name: 'Do not contact' };
const choose = (settings: { crmStatuses?: boolean; crmTag?: { id: string; name: string } | null }) =>
  admin.call(saveSuppressionSettingsEndpoint, { publicPage: false, crmStatuses: false, crmTag: null, ...settings });
const state = async () => (await admin.call(suppressionSourcesEndpoint)).pull;
const entries = async () =>
  (await user.call(listSuppressionsEndpoint)).items
    .map(({ kind, value, note, source, addedBy }) => ({ kind, value, note, source, addedBy }))
    .toSorted((a, b) => a.value.localeCompare(b.value));

test('everyone who holds the tag is held back, by number and address, and it shows what was brought', async () => {
  await choose({});
  expect(await state()).toMatchObject({ state: 'off' });
  expect(await pull()).toBe(false);
  await choose({ crmTag: tag });
  expect(await state()).toMatchObject({ state: 'idle', startedAt: null });
  expect(await pull()).toBe(true);
  const from = { note: 'Keap tag “Do not contact”', source: 'crm', addedBy: null };
  expect(await entries()).toEqual([
    { kind: 'phone', value: '+13035550181', ...from },
    { kind: 'phone', value: '+13035550182', ...from },
    { kind: 'email', value: 'olive@leave-me.example', ...from },
    { kind: 'email', value: 'pat@leave-me.example', ...from },
    { kind: 'email', value: 'patprivate@gmail.com', ...from },
  ]);
  expect(await state()).toMatchObject({
    state: 'idle',
    completeAt: expect.any(String),
    failure: null,
    contacts: 3,
    addresses: 0,
    added: 5,
  });
});

test('the invented people of a simulated CRM hold back no one by a tag', async () => {
  await connectCrm(product, admin, SANDBOX);
  await choose({ crmTag: tag });
  expect(await pull()).toBe(true);
  expect(await entries()).toEqual([]);
  expect(await state()).toMatchObject({ sandbox: true, contacts: 0, added: 0, failure: null });
});

test('it is pulled once an hour, at once by the button, and by one process at a time', async () => {
  await choose({ crmTag: tag });
  const other = await product.process({ worker: false });
  const both = await Promise.all([pull(), pull(other)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await pull()).toBe(false);
  expect(await admin.call(pullCrmEndpoint)).toMatchObject({ state: 'waiting' });
  await expect(user.call(pullCrmEndpoint)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await pull()).toBe(true);
  expect(await pull()).toBe(false);
  await sql`update app.crm_pull set started_at = now() - interval '61 minutes'`.execute(product.db);
  expect(await pull()).toBe(true);
});

test('addresses of leads are asked about once, and those that may not be mailed are held back', async () => {
  await connectCrm(product, admin, SANDBOX);
  const emails = [
    'unsubscribed1@people.example',
    'bounced2@people.example',
    'subscriber3@people.example',
    'lead4@people.example',
  ];
  await buildListOf(
    product.db,
    user.id,
    [...emails, 'unsubscribed1@people.example'].map((email) => ({ email })),
  );
  // The people of a simulated CRM are no one's real leads.
  await buildListOf(product.db, user.id, [{ email: 'unsubscribed-real@people.example' }], { sandbox: false });
  await choose({ crmStatuses: true });
  await pull();
  expect(await entries()).toEqual([
    {
      kind: 'email',
      value: 'bounced2@people.example',
      note: 'Sandbox Keap: HARD_BOUNCE',
      source: 'crm',
      addedBy: null,
    },
    {
      kind: 'email',
      value: 'unsubscribed1@people.example',
      note: 'Sandbox Keap: LIST_UNSUBSCRIBE',
      source: 'crm',
      addedBy: null,
    },
  ]);
  expect(await state()).toMatchObject({ addresses: 4, added: 2, failure: null });
  await admin.call(pullCrmEndpoint);
  await pull();
  expect(await state()).toMatchObject({ addresses: 0, added: 0, failure: null });
});

test('a failure is said in words, keeps what came before, and never means that no one opted out', async () => {
  await choose({ crmTag: tag, crmStatuses: true });
  await buildListOf(product.db, user.id, [{ email: 'keapdown@people.example' }], { sandbox: false });
  await pull();
  expect(await state()).toMatchObject({
    state: 'idle',
    completeAt: null,
    failure: 'Keap is having trouble right now. Try again in a few minutes.',
    contacts: 3,
    added: 5,
  });
  expect(await sql`select from app.crm_asked`.execute(product.db)).toMatchObject({ rows: [] });
});

test('a process that is stopped leaves the pull to another', async () => {
  await choose({ crmTag: tag });
  await pull(product, AbortSignal.abort());
  expect(await state()).toMatchObject({ state: 'idle', endedAt: null });
  expect(await pull()).toBe(true);
  expect(await state()).toMatchObject({ contacts: 3, completeAt: expect.any(String) });
});

test('a CRM that answers slowly is asked by one process alone, once about each address', async () => {
  const emails = Array.from({ length: 5 }, (_, at) => ({ email: `slow${at}@people.example` }));
  await buildListOf(product.db, user.id, emails, { sandbox: false });
  await choose({ crmStatuses: true, crmTag: tag });
  const other = await product.process({ worker: false });
  const taken: boolean[] = [];
  let asked = 0;
  const { crm } = product.workerDeps;
  /** Each call takes most of a minute, and another process looks meanwhile. */
  const ask: typeof crm.ask = async (...question) => {
    asked += 1;
    await sql`update app.crm_pull set lease_expires_at = lease_expires_at - interval '50 seconds'`.execute(product.db);
    taken.push(await pull(other));
    return crm.ask(...question);
  };
  expect(await pullOptOuts({ ...product.workerDeps, crm: { ...crm, ask } }, new AbortController().signal)).toBe(true);
  expect(taken).not.toContain(true);
  // A page of the tag, its people, and each address.
  expect(asked).toBe(1 + 1 + emails.length);
  expect(await state()).toMatchObject({ addresses: 5, contacts: 3, failure: null, completeAt: expect.any(String) });
});
