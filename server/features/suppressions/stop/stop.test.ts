import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { askToStopEndpoint, confirmStopEndpoint, readStopPageEndpoint } from '#contract/calling/stop-page.ts';
import {
  decideStopRequestEndpoint,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import { addSuppressionEndpoint, listSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import { createTwilioSender } from '#providers/twilio/adapter.ts';
import { readEnv } from '#server/config/env.ts';
import type { Deps } from '#server/deps.ts';
import { holdWindows } from '#test/databases/hold-windows.ts';
import { eventually } from '#test/eventually.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { askToStop } from './ask-to-stop.ts';
import { codeOf } from './stop-code.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  await holdWindows(product.url);
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});
afterEach(async () => {
  product.mails.length = 0;
  for (const table of ['app.rate_limits', 'app.stop_codes', 'app.stop_requests', 'app.suppressions'])
    await sql`delete from ${sql.table(table)}`.execute(product.db);
});

const open = (publicPage = true) =>
  admin.call(saveSuppressionSettingsEndpoint, { publicPage, crmStatuses: false, crmTag: null });
async function post(path: string, body: unknown) {
  const response = await product.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: { ask?: string }; message?: string };
  return { status: response.status, ...answer };
}
const ask = (value: string, kind = 'email') => post(askToStopEndpoint.path, { kind, value });
const confirm = (about: { ask: string; code: string; value: string; kind?: string }) =>
  post(confirmStopEndpoint.path, { kind: 'email', ...about });
const askFor = async (value: string) => (await ask(value)).data?.ask ?? '';
const codeSent = (to: string) =>
  eventually(() => {
    const code = /Your code is (\d{6})/.exec(product.mails.findLast((mail) => mail.to === to)?.subject ?? '')?.[1];
    if (!code) throw new Error(`no code for ${to}`);
    return code;
  });
const suppressed = async () =>
  (await user.call(listSuppressionsEndpoint)).items.map(({ value, source, addedBy }) => ({ value, source, addedBy }));
const waiting = async () => (await admin.call(suppressionSourcesEndpoint)).requests.items;
/** From another network than the test's own. */
const askFrom = (ip: string, value: string, kind: 'email' | 'phone' = 'email') =>
  askToStop(
    { deps: product.deps, requestId: '', log: product.deps.log, signal: new AbortController().signal, ip },
    { kind, value },
  );

test('it is off until an administrator switches it on', async () => {
  await open(false);
  expect(await (await product.request(readStopPageEndpoint.path)).json()).toMatchObject({
    data: { open: false, texts: false },
  });
  expect((await ask('ann@people.example')).status).toBe(404);
  await expect(
    user.call(saveSuppressionSettingsEndpoint, { publicPage: true, crmStatuses: false, crmTag: null }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await open();
  expect(await (await product.request(readStopPageEndpoint.path)).json()).toMatchObject({
    data: { open: true, texts: true },
  });
});

test('a code that was mailed suppresses the address, once', async () => {
  await open();
  const id = await askFor('Ann.Invented+x@gmail.com');
  const code = await codeSent('Ann.Invented+x@gmail.com');
  expect(await suppressed()).toEqual([]);
  const about = { ask: id, value: 'ann.invented@GMAIL.com', code };
  expect(await confirm(about)).toMatchObject({ status: 200, data: { stopped: true } });
  expect(await suppressed()).toEqual([{ value: 'anninvented@gmail.com', source: 'public', addedBy: null }]);
  expect((await confirm(about)).status).toBe(422);
});

test('a code that was sent works though the page was switched off since', async () => {
  await open();
  const id = await askFor('late@people.example');
  const code = await codeSent('late@people.example');
  await open(false);
  expect((await ask('other@people.example')).status).toBe(404);
  expect(await confirm({ ask: id, value: 'late@people.example', code })).toMatchObject({ status: 200 });
  expect(await suppressed()).toMatchObject([{ value: 'late@people.example', source: 'public' }]);
});

test('a number is confirmed by text, and by an administrator where it cannot be texted', async () => {
  await open();
  const id = (await ask('+1 512 555 0142', 'phone')).data?.ask ?? '';
  const confirmed = { ask: id, kind: 'phone', value: '512-555-0142', code: codeOf(product.deps.vault, id) };
  expect((await confirm(confirmed)).status).toBe(200);
  expect(await suppressed()).toEqual([{ value: '+15125550142', source: 'public', addedBy: null }]);
  // Abroad a text may earn money for those who ask for it.
  await ask('+44 20 7946 0123', 'phone');
  await ask('+44 20 7946 0124', 'phone');
  const [first, second] = await waiting();
  expect(first).toMatchObject({ kind: 'phone', value: '+442079460123' });
  expect(await admin.call(decideStopRequestEndpoint, { suppress: true }, { id: first?.id ?? '' })).toEqual({
    decided: true,
  });
  expect(await admin.call(decideStopRequestEndpoint, { suppress: true }, { id: first?.id ?? '' })).toEqual({
    decided: false,
  });
  expect(await admin.call(decideStopRequestEndpoint, { suppress: false }, { id: second?.id ?? '' })).toEqual({
    decided: true,
  });
  expect((await suppressed()).map(({ value }) => value)).toEqual(['+442079460123', '+15125550142']);
  expect(await waiting()).toEqual([]);
});

test('the clock of the law counts from the request, not from the decision', async () => {
  await open();
  for (const value of ['+442079460171', '+442079460172', '+442079460173']) await ask(value, 'phone');
  await sql`update app.stop_requests set asked_at = '2026-11-02T18:00:00Z'`.execute(product.db);
  // Someone else has entered it meanwhile.
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '+44 20 7946 0172' });
  for (const { id, value } of await waiting())
    await admin.call(decideStopRequestEndpoint, { suppress: value !== '+442079460173' }, { id });
  const { items } = await user.call(listSuppressionsEndpoint);
  const asked = items.map(({ value, askedAt }) => [value, askedAt]).toSorted();
  expect(asked).toEqual([
    ['+442079460171', '2026-11-02T18:00:00.000Z'],
    ['+442079460172', '2026-11-02T18:00:00.000Z'],
  ]);
  for (const { addedAt } of items) expect(Date.parse(addedAt)).toBeGreaterThan(Date.now() - 60_000);
});

test('without a sender of texts every number waits for an administrator', async () => {
  await open();
  const { env } = product.deps;
  const deps = {
    ...product.deps,
    env: { ...env, ...readEnv({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' }), sandbox: true },
  };
  await askToStop(
    { deps, requestId: '', log: deps.log, signal: new AbortController().signal, ip: '192.0.2.9' },
    { kind: 'phone', value: '512 555 0177' },
  );
  expect(await waiting()).toMatchObject([{ value: '+15125550177' }]);
});

test('a number or address that no code reaches waits for an administrator, and the answer does not tell', async () => {
  await open();
  const asked = (value: string, given: Partial<Deps>) =>
    askToStop(
      {
        deps: { ...product.deps, ...given },
        requestId: '',
        log: product.deps.log,
        signal: new AbortController().signal,
        ip: '192.0.2.9',
      },
      { kind: value.includes('@') ? 'email' : 'phone', value },
    );
  const texts = (reply: () => Response): Partial<Deps> => ({
    providers: {
      ...product.deps.providers,
      sms: createTwilioSender({
        accountSid: 'AC1',
        authToken: 'token',
        from: '+15005550006',
        baseUrl: 'https://api.twilio.example',
        fetch: async () => reply(),
      }),
    },
  });
  const landline = texts(() => Response.json({ code: 21614, message: 'not a mobile number' }, { status: 400 }));
  const answer = { ask: expect.stringMatching(/^[\da-f-]{36}$/) };
  expect(await asked('512 555 0181', landline)).toEqual(answer);
  expect(
    await asked(
      '512 555 0182',
      texts(() => new Response('', { status: 503 })),
    ),
  ).toEqual(answer);
  expect(
    await asked(
      '512 555 0183',
      texts(() => Response.json({ sid: 'SM1', status: 'queued' }, { status: 201 })),
    ),
  ).toEqual(answer);
  expect(await asked('gone@people.example', { sendMail: () => Promise.reject(new Error('no such mailbox')) })).toEqual(
    answer,
  );
  const values = ['+15125550181', '+15125550182', 'gone@people.example'];
  await eventually(async () => expect((await waiting()).map(({ value }) => value).toSorted()).toEqual(values));
});

test('the answer is the same whether someone is on the list or not', async () => {
  await open();
  await user.call(addSuppressionEndpoint, { kind: 'email', value: 'known@people.example' });
  const [known, unknown] = [await ask('known@people.example'), await ask('unknown@people.example')];
  const shape = { success: true, status: 200, data: { ask: expect.stringMatching(/^[\da-f-]{36}$/) } };
  expect(known).toEqual(shape);
  expect(unknown).toEqual(shape);
  const code = await codeSent('known@people.example');
  expect((await confirm({ ask: known.data?.ask ?? '', value: 'known@people.example', code })).status).toBe(200);
  // Who takes it off the list sees that they asked themselves.
  expect(await suppressed()).toMatchObject([{ value: 'known@people.example', source: 'public' }]);
});

test('no one can suppress another: a code belongs to its request and its contact, and guesses are few', async () => {
  await open();
  const owner = await askFor('owner@people.example');
  const code = await codeSent('owner@people.example');
  const wrong = code === '000000' ? '000001' : '000000';
  // With a request of one's own, for another contact, or for none.
  const mine = await askFor('stranger@people.example');
  const refused = 'This code is wrong or no longer works. Check it, or ask for a new one.';
  for (const about of [
    { ask: mine, value: 'owner@people.example', code },
    { ask: owner, value: 'other@people.example', code },
    { ask: '4f0c9c2e-30a8-4a1c-9d5d-0d8e8f3f1a11', value: 'owner@people.example', code },
  ])
    expect(await confirm(about)).toMatchObject({ status: 422, message: refused });
  for (let tries = 0; tries < 5; tries += 1)
    expect(await confirm({ ask: owner, value: 'owner@people.example', code: wrong })).toMatchObject({
      message: refused,
    });
  expect((await confirm({ ask: owner, value: 'owner@people.example', code })).status).toBe(422);
  expect(await suppressed()).toEqual([]);
});

test('a stranger who guesses on and on keeps no one from stopping: an administrator decides', async () => {
  await open();
  const value = 'besieged@people.example';
  const owner = await askFor(value);
  const code = await codeSent(value);
  const none = '4f0c9c2e-30a8-4a1c-9d5d-0d8e8f3f1a11';
  for (let guesses = 0; guesses < 30; guesses += 1) await confirm({ ask: none, value, code: '000000' });
  expect(await waiting()).toEqual([]);
  expect(await confirm({ ask: owner, value, code })).toMatchObject({ status: 422 });
  expect(await waiting()).toMatchObject([{ kind: 'email', value }]);
});

test('a code ends after ten minutes', async () => {
  await open();
  const id = await askFor('late@people.example');
  const code = await codeSent('late@people.example');
  await sql`update app.stop_codes set expires_at = expires_at - interval '601 seconds'`.execute(product.db);
  expect((await confirm({ ask: id, value: 'late@people.example', code })).status).toBe(422);
});

test('a mailbox gets few mails however many networks ask, and its owner can still confirm', async () => {
  await open();
  const asks = await Promise.all(
    Array.from({ length: 12 }, (_, at) => askFrom(`198.51.100.${at}`, `target.ed${at % 2 ? '+a' : ''}@gmail.com`)),
  );
  expect(new Set(asks.map((one) => one.ask)).size).toBe(12);
  await eventually(() => expect(product.mails).toHaveLength(3));
  // The owner's own request came too late for a mail. The last code that was sent works with it.
  const mine = await askFor('targeted@gmail.com');
  const code = /\d{6}/.exec(product.mails.findLast(() => true)?.subject ?? '')?.[0] ?? '';
  const codes = product.mails.map(({ subject }) => /\d{6}/.exec(subject)?.[0] ?? code);
  const answers = [];
  for (const one of codes) answers.push((await confirm({ ask: mine, value: 'targeted@gmail.com', code: one })).status);
  expect(answers).toContain(200);
  expect(product.mails).toHaveLength(3);
});

test('texts to strangers are bounded in a day, and an administrator sees the rest', async () => {
  await open();
  await sql`
    insert into app.stop_codes (id, contact, code_id, texted, asked_at, expires_at)
    select id, 'someone ' || n, id, true, now() - interval '20 hours', now() - interval '20 hours'
    from (select gen_random_uuid() as id, n from generate_series(1, 49) as n) as one
  `.execute(product.db);
  await askFrom('198.51.100.1', '512 555 0101', 'phone');
  await askFrom('198.51.100.2', '512 555 0102', 'phone');
  expect(await waiting()).toMatchObject([{ value: '+15125550102' }]);
});

test('a network that asks too often is told when to come back', async () => {
  await open();
  const statuses: number[] = [];
  for (let at = 0; at < 22; at += 1) statuses.push((await ask(`many${at}@people.example`)).status);
  expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
  expect(statuses.slice(20)).toEqual([429, 429]);
});

test.each([
  ['email', 'nobody'],
  ['phone', '12'],
  ['domain', 'example.com'],
])('%s %s is refused', async (kind, value) => {
  await open();
  expect((await ask(value, kind)).status).toBe(422);
});

test('neither contact nor code is stored', async () => {
  await open();
  await ask('private@people.example');
  const code = await codeSent('private@people.example');
  const { rows } = await sql<{
    text: string;
  }>`select row_to_json(one)::text as text from app.stop_codes as one`.execute(product.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain('private');
  expect(rows[0]?.text).not.toContain(`"${code}"`);
});
