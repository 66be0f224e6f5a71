import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addRequiredTagsEndpoint, crmStatusEndpoint } from '#contract/admin/crm.ts';
import { standingOf } from '#db/roles/standing.ts';
import { ProviderError } from '#providers/provider.ts';
import { createGate } from '#server/access/gate.ts';
import { connectCrm } from '#test/crm.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';
import { findCrmRow, openCrmConnection } from './connection.ts';
import { createCrmAccess } from './crm-access.ts';
import { createCrmDesk } from './crm-desk.ts';

let product: Product;
let second: Process;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  second = await product.process({ worker: false });
  admin = await product.admin();
});
beforeEach(async () => {
  await product.db.deleteFrom('app.call_spacing').execute();
  await product.db.deleteFrom('app.required_tags').execute();
  await connectCrm(product, admin);
});

const connection = async () => openCrmConnection(product.deps.vault, await findCrmRow(product.db));
const patience = () => ({ mostWaitMs: 5_000, signal: AbortSignal.timeout(20_000) });
const askAbout = (process: Process, email: string) =>
  process.deps.crm.ask((crm, token) => crm.findTagIds(token, email, patience().signal), patience());
const setRow = (columns: { access_token_expires_at?: Date; refreshed_at?: Date }) =>
  product.db.updateTable('app.crm_connection').set(columns).execute();
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

test('two processes, each asked by several at once, refresh an ended token once', async () => {
  const before = await connection();
  await setRow({ access_token_expires_at: minutes(-1) });
  const askers = [product, second, product, second].map((process) => askAbout(process, 'ann@people.example'));
  expect(await Promise.all(askers)).toEqual(Array.from({ length: 4 }, () => ['1001', '1002']));
  const after = await connection();
  expect(after?.refreshToken).not.toBe(before?.refreshToken);
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: false });
  expect(await askAbout(second, 'untagged@people.example')).toEqual(['1002']);
});

test('a token that the CRM refuses is refreshed once, and the question asked once more', async () => {
  const before = await connection();
  if (!before) throw new Error('not connected');
  // Spent behind our back, as by a restored backup: the access token of before stops working, and so does its refresh token.
  const crm = product.deps.providers.crm(before);
  const { accessToken, refreshToken } = await crm.refresh(before.refreshToken);
  await expect(askAbout(product, 'ann@people.example')).rejects.toMatchObject({ code: 'PROVIDER_BAD_CREDENTIALS' });
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: true });
  await expect(askAbout(second, 'ann@people.example')).rejects.toMatchObject({ code: 'PROVIDER_BAD_CREDENTIALS' });

  const { vault } = product.deps;
  await product.db
    .updateTable('app.crm_connection')
    .set({
      sealed_access_token: vault.seal(`${accessToken}-ended`, 'crm_connection.sealed_access_token'),
      sealed_refresh_token: vault.seal(refreshToken, 'crm_connection.sealed_refresh_token'),
      refresh_refused_at: null,
    })
    .execute();
  expect(await askAbout(product, 'ann@people.example')).toEqual(['1001', '1002']);
  await connectCrm(product, admin);
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: false });
});

test('the keeper refreshes half an hour early and once a day, not before', async () => {
  const refreshToken = async () => (await connection())?.refreshToken;
  const first = await refreshToken();
  await setRow({ access_token_expires_at: minutes(40) });
  await product.workerDeps.crm.refreshWhenDue();
  expect(await refreshToken()).toBe(first);
  await setRow({ access_token_expires_at: minutes(29) });
  await Promise.all([product.workerDeps.crm.refreshWhenDue(), second.workerDeps.crm.refreshWhenDue()]);
  const renewed = await refreshToken();
  expect(renewed).not.toBe(first);
  await setRow({ refreshed_at: minutes(-25 * 60) });
  await product.workerDeps.crm.refreshWhenDue();
  expect(await refreshToken()).not.toBe(renewed);
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ expired: false });
});

test('an early refresh that the CRM refuses leaves the access token in use until it ends', async () => {
  const before = await connection();
  if (!before) throw new Error('not connected');
  const { vault, providers, db, log } = product.deps;
  await product.db
    .updateTable('app.crm_connection')
    .set({
      sealed_refresh_token: vault.seal('spent', 'crm_connection.sealed_refresh_token'),
      access_token_expires_at: minutes(20),
    })
    .execute();
  const desk = createCrmDesk({ db, vault, providers, log });
  await expect(desk.refreshWhenDue()).rejects.toMatchObject({ code: 'PROVIDER_BAD_CREDENTIALS' });
  await desk.refreshWhenDue();
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: true });
  expect(await askAbout(product, 'ann@people.example')).toEqual(['1001', '1002']);
});

test('an application that the CRM no longer knows ends the connection, and is not tried again and again', async () => {
  const { vault, providers, db, log } = product.deps;
  let tries = 0;
  const refusing: typeof providers = {
    ...providers,
    crm: (client) => ({
      ...providers.crm(client),
      async refresh(token) {
        tries += 1;
        return providers.crm({ ...client, clientId: `${client.clientId}-bad-key` }).refresh(token);
      },
    }),
  };
  await setRow({ access_token_expires_at: minutes(-1) });
  const desk = createCrmDesk({ db, vault, providers: refusing, log });
  const ask = () => desk.ask((crm, token) => crm.findTagIds(token, 'ann@people.example'), patience());
  for (let times = 0; times < 2; times += 1)
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_BAD_CREDENTIALS' });
  expect(tries).toBe(1);
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: true });
});

test('after the CRM has said that its limit is used up, no one runs into it', async () => {
  await connectCrm(product, admin, 'sandbox-out-of-credit');
  let asked = 0;
  const ask = () =>
    product.deps.crm.ask((crm, token) => {
      asked += 1;
      return crm.findTagIds(token, 'ann@people.example');
    }, patience());
  for (let times = 0; times < 3; times += 1) await expect(ask()).rejects.toMatchObject({ kind: 'out_of_credit' });
  expect(asked).toBe(1);
  await connectCrm(product, admin);
  expect(await ask()).toEqual(['1001', '1002']);
});

test('what was refreshed is stored although the database went away in between', async () => {
  const before = await connection();
  const { vault, providers, db, log } = product.deps;
  const cutting: typeof providers = {
    ...providers,
    crm: (client) => ({
      ...providers.crm(client),
      async refresh(token) {
        const tokens = await providers.crm(client).refresh(token);
        const { rows } = await killIdleTransactions();
        expect(rows.length).toBeGreaterThan(0);
        return tokens;
      },
    }),
  };
  await setRow({ access_token_expires_at: minutes(-1) });
  const desk = createCrmDesk({ db, vault, providers: cutting, log });
  const found = await desk.ask((crm, token) => crm.findTagIds(token, 'ann@people.example'), patience());
  expect(found).toEqual(['1001', '1002']);
  expect((await connection())?.refreshToken).not.toBe(before?.refreshToken);
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true, expired: false });
});

test('four calls a second leave, in all processes together; who would wait too long is refused and takes no place', async () => {
  const left: number[] = [];
  const ask = (process: Process, mostWaitMs: number) =>
    process.deps.crm.ask(
      async () => {
        left.push(performance.now());
      },
      { mostWaitMs, signal: AbortSignal.timeout(20_000) },
    );
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => ask(index % 2 ? product : second, 1_500)),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(left.length).toBeGreaterThanOrEqual(8);
  expect(left.length + refused.length).toBe(20);
  expect(refused).not.toEqual([]);
  expect(refused).toEqual(
    refused.map(() => expect.objectContaining({ reason: expect.objectContaining({ code: 'PROVIDER_RATE_LIMITED' }) })),
  );
  const sorted = left.toSorted((a, b) => a - b);
  const fifth = (sorted[4] ?? 0) - (sorted[0] ?? 0);
  expect(fifth).toBeGreaterThan(900);
  // The refused ones stand in no one's way.
  await expect(ask(product, 3_000)).resolves.toBeUndefined();
});

test('who is asked about: the verdict is told, noted in the profile, and remembered for a while', async () => {
  const { db, log } = product.deps;
  const access = createCrmAccess({ db, log, crm: product.deps.crm }, { rememberMs: 1_000, deadlineMs: 1_500 });
  const verdictOn = async (email: string) => access.decide(email, await standingOf(db, email));
  const person = await product.user('plain');
  const profile = () =>
    db.selectFrom('app.profiles').selectAll().where('user_id', '=', person.id).executeTakeFirstOrThrow();
  expect(await verdictOn(person.email)).toBeUndefined();
  await admin.call(addRequiredTagsEndpoint, {
    tags: [
      { tag_id: '1001', tag_name: 'M' },
      { tag_id: '9', tag_name: 'X' },
    ],
  });

  expect(await verdictOn(person.email)).toBe('granted');
  expect(await profile()).toMatchObject({ crm_access: 'granted', crm_granted_at: expect.any(Date) });
  product.sandbox.contacts.set(person.email, ['1002']);
  expect(await verdictOn(person.email)).toBe('granted');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await verdictOn(person.email)).toBe('MISSING_TAG');
  expect(await profile()).toMatchObject({ crm_access: 'MISSING_TAG', crm_granted_at: null });
  await admin.call(addRequiredTagsEndpoint, { tags: [{ tag_id: '1002', tag_name: 'N' }] });
  expect(await verdictOn(person.email)).toBe('granted');

  expect(await verdictOn('nobody@people.example')).toBe('NO_CONTACT');
  expect(await verdictOn('keapdown@people.example')).toBe('KEAP_ERROR');
  const started = performance.now();
  expect(await verdictOn('keapslow@people.example')).toBe('KEAP_ERROR');
  expect(performance.now() - started).toBeLessThan(4_000);
  expect(product.log.join('')).not.toContain(person.email);
});

test('anyone who was let go has no grace when the CRM cannot be asked afterwards, anyone who was let in has', async () => {
  const { db, log, crm } = product.deps;
  const gateAsking = (desk: typeof crm) =>
    createGate({
      db,
      adminEmails: [],
      strangersMayCome: true,
      crm: createCrmAccess({ db, log, crm: desk }, { rememberMs: 0 }),
    });
  const gate = gateAsking(crm);
  const cutOff = gateAsking({ ...crm, ask: () => Promise.reject(new Error('The CRM is away.')) });
  await admin.call(addRequiredTagsEndpoint, { tags: [{ tag_id: '1001', tag_name: 'M' }] });
  const [gone, here] = [await product.user('gone'), await product.user('here')];
  for (const { email } of [gone, here]) expect(await gate.decideToStay(email)).toMatchObject({ allow: true });
  product.sandbox.contacts.set(gone.email, ['1002']);
  expect(await gate.decideToStay(gone.email)).toMatchObject({ allow: false, reason: 'MISSING_TAG' });
  expect(await cutOff.decideToStay(gone.email)).toMatchObject({ allow: false, reason: 'KEAP_ERROR' });
  expect(await cutOff.decideToStay(here.email)).toMatchObject({ allow: true });
});

test('an address that the filter cannot hold is never asked about', async () => {
  await expect(askAbout(product, 'a;b@people.example')).rejects.toBeInstanceOf(ProviderError);
});

/** Ends the sessions that sit in a transaction, as a failing server would. */
const killIdleTransactions = () =>
  sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
  `.execute(product.db);
