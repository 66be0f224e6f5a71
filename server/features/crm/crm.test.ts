import { Hono } from 'hono';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addRequiredTagsEndpoint,
  CRM_OAUTH_CALLBACK_PATH,
  crmCredentialsStatusEndpoint,
  crmStatusEndpoint,
  crmUserAccessEndpoint,
  deleteRequiredTagEndpoint,
  disconnectCrmEndpoint,
  listCrmTagsEndpoint,
  listRequiredTagsEndpoint,
  saveCrmCredentialsEndpoint,
  startCrmOauthEndpoint,
} from '#contract/admin/crm.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from '#server/http/logs/request-log.ts';
import { askConsent, comeBack, connectCrm } from '#test/crm.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { crmRoutes } from './routes.ts';

let product: Product;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
beforeEach(async () => {
  for (const table of ['app.crm_connection', 'app.required_tags', 'app.crm_oauth_states', 'app.call_spacing'] as const)
    await product.db.deleteFrom(table).execute();
  admin = await product.admin();
});

const credentials = { client_id: 'sandbox-client-1234', client_secret: 'planted-client-secret' };
const connected = '/admin/settings?keap=connected';
const failed = (reason: string) => `/admin/settings?keap=failed&reason=${reason}`;
const auditOf = (user: TestUser) =>
  product.db.selectFrom('app.audit_log').select(['action', 'details']).where('actor_id', '=', user.id).execute();

describe('who may', () => {
  const endpoints = [
    crmCredentialsStatusEndpoint,
    saveCrmCredentialsEndpoint,
    crmStatusEndpoint,
    startCrmOauthEndpoint,
    disconnectCrmEndpoint,
    listCrmTagsEndpoint,
    listRequiredTagsEndpoint,
    addRequiredTagsEndpoint,
    deleteRequiredTagEndpoint,
    crmUserAccessEndpoint,
  ];
  test.each(endpoints.map((one) => [one.method, one.path] as const))('%s %s: admins only', async (method, path) => {
    expect((await product.request(path, { method })).status).toBe(401);
    const user = await product.user();
    const signedIn = { method, path, access: 'admin', body: undefined, query: undefined } as const;
    await expect(user.call({ ...crmStatusEndpoint, ...signedIn })).rejects.toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });
});

describe('credentials', () => {
  test('are stored sealed, shown masked, and never without both', async () => {
    expect(await admin.call(crmCredentialsStatusEndpoint)).toEqual({
      configured: false,
      masked_client_id: null,
      updated_at: null,
    });
    await expect(admin.call(startCrmOauthEndpoint)).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const body of [
      { client_id: ' ', client_secret: 'x' },
      { client_id: 'x', client_secret: '' },
    ])
      await expect(admin.call(saveCrmCredentialsEndpoint, body)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: expect.stringContaining('Client ID and Client Secret are required'),
      });
    const saved = await admin.call(saveCrmCredentialsEndpoint, { ...credentials, client_id: ' sandbox-client-1234 ' });
    expect(saved).toMatchObject({ configured: true, masked_client_id: '••••1234', updated_at: expect.any(String) });
    const row = await product.db.selectFrom('app.crm_connection').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ client_id: 'sandbox-client-1234', sandbox: true });
    const audit = JSON.stringify(await auditOf(admin));
    expect(audit).toContain('crm.credentials_saved');
    for (const place of [JSON.stringify(row), audit, product.log.join('')])
      expect(place).not.toContain('planted-client-secret');
  });

  test('others end the connection, the same ones keep it', async () => {
    await connectCrm(product, admin);
    await admin.call(saveCrmCredentialsEndpoint, { client_id: 'sandbox-client', client_secret: 'a-client-secret' });
    expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true });
    await admin.call(saveCrmCredentialsEndpoint, { client_id: 'sandbox-client', client_secret: 'another-secret' });
    expect(await admin.call(crmStatusEndpoint)).toEqual({
      connected: false,
      masked: null,
      updated_at: null,
      expired: false,
    });
  });
});

describe('connecting', () => {
  beforeEach(() => admin.call(saveCrmCredentialsEndpoint, credentials));

  test('leads to the CRM and back, and seals the tokens', async () => {
    const started = await admin.get(startCrmOauthEndpoint.path);
    expect(started.headers.get('set-cookie')).toMatch(
      /^crm_oauth=[\w-]{43}; Max-Age=600; Path=\/api\/admin\/keap\/oauth\/callback; HttpOnly; SameSite=Lax$/,
    );
    const { query, cookie } = await askConsent(admin);
    expect(await comeBack(product, query, cookie)).toBe(connected);
    const status = await admin.call(crmStatusEndpoint);
    expect(status).toMatchObject({ connected: true, expired: false, updated_at: expect.any(String) });
    const row = await product.db.selectFrom('app.crm_connection').selectAll().executeTakeFirstOrThrow();
    const token = product.deps.vault.open(row.sealed_access_token ?? '', 'crm_connection.sealed_access_token');
    expect(status.masked).toBe(`••••${token.slice(-4)}`);
    expect(() =>
      product.deps.vault.open(row.sealed_access_token ?? '', 'crm_connection.sealed_refresh_token'),
    ).toThrow();
    expect(JSON.stringify(row) + product.log.join('')).not.toContain(token);
    expect((await auditOf(admin)).map(({ action }) => action)).toEqual(['crm.credentials_saved', 'crm.connected']);
  });

  test('the cookie is for https only where the site is', async () => {
    const app = new Hono<HttpEnv>();
    app.use(requestLog(product.deps.log));
    crmRoutes(app, { ...product.deps, siteUrl: 'https://leads.example' });
    const session = await product.db
      .insertInto('auth.sessions')
      .values({ user_id: admin.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    const headers = { authorization: `Bearer ${admin.id}|${session.id}|${admin.email}` };
    const started = await app.request(startCrmOauthEndpoint.path, { headers });
    expect(started.headers.get('set-cookie')).toContain('; Secure');
  });

  test('an answer works once', async () => {
    const { query, cookie } = await askConsent(admin);
    expect(await comeBack(product, query, cookie)).toBe(connected);
    expect(await comeBack(product, query, cookie)).toBe(failed('expired'));
    expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: true });
  });

  test('of two that arrive at once, one works', async () => {
    const { query, cookie } = await askConsent(admin);
    const answers = await Promise.all([comeBack(product, query, cookie), comeBack(product, query, cookie)]);
    expect(answers.sort()).toEqual([connected, failed('expired')]);
  });

  test('a made-up or missing state, one of another browser, and one that is too old are refused', async () => {
    const { query, cookie } = await askConsent(admin);
    const made = new URLSearchParams(query);
    made.set('state', 'x'.repeat(43));
    expect(await comeBack(product, made, cookie)).toBe(failed('expired'));
    expect(await comeBack(product, new URLSearchParams(), cookie)).toBe(failed('expired'));
    expect(await comeBack(product, query, 'crm_oauth=another')).toBe(failed('session'));
    const second = await askConsent(admin);
    expect(await comeBack(product, second.query, '')).toBe(failed('session'));
    const third = await askConsent(admin);
    await product.db
      .updateTable('app.crm_oauth_states')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await comeBack(product, third.query, third.cookie)).toBe(failed('expired'));
    const written = product.db.selectFrom('app.audit_log').select(['details', 'actor_id']);
    expect(await written.where('action', '=', 'crm.connect_failed').where('actor_id', 'is', null).execute()).toEqual(
      // Once an hour from a network, however often it tries.
      expect.arrayContaining(['expired', 'session'].map((reason) => ({ actor_id: null, details: { reason } }))),
    );
    expect(await admin.call(crmStatusEndpoint)).toMatchObject({ connected: false });
  });

  test('an administrator cannot be made to finish what someone else began', async () => {
    const other = await product.admin();
    const theirs = await askConsent(other);
    const mine = await askConsent(admin);
    expect(await comeBack(product, theirs.query, mine.cookie)).toBe(failed('session'));
  });

  test('of two tabs of a browser, the one that began last connects, whatever became of the other', async () => {
    const first = await askConsent(admin);
    const second = await askConsent(admin);
    const answer = await product.request(`${CRM_OAUTH_CALLBACK_PATH}?${first.query}`, {
      headers: { cookie: second.cookie },
    });
    expect(answer.headers.get('location')).toBe(failed('session'));
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await comeBack(product, second.query, second.cookie)).toBe(connected);
  });

  test.each([
    ['ended', () => product.db.deleteFrom('auth.sessions').where('user_id', '=', admin.id).execute()],
    [
      'no longer an admin’s',
      () => product.db.updateTable('app.profiles').set({ role: 'user' }).where('user_id', '=', admin.id).execute(),
    ],
    [
      'of someone disabled',
      () =>
        product.db.updateTable('app.profiles').set({ status: 'disabled' }).where('user_id', '=', admin.id).execute(),
    ],
  ])('a session that is %s connects nothing', async (_, change) => {
    const { query, cookie } = await askConsent(admin);
    await change();
    expect(await comeBack(product, query, cookie)).toBe(failed('session'));
  });

  test('a refusal at the CRM, other credentials meanwhile, and a code that is not accepted', async () => {
    const denied = await askConsent(admin, 'deny');
    expect(await comeBack(product, denied.query, denied.cookie)).toBe(failed('denied'));
    const overtaken = await askConsent(admin);
    await admin.call(saveCrmCredentialsEndpoint, { ...credentials, client_id: 'sandbox-other' });
    expect(await comeBack(product, overtaken.query, overtaken.cookie)).toBe(failed('credentials'));
    const forged = await askConsent(admin);
    forged.query.set('code', 'forged');
    expect(await comeBack(product, forged.query, forged.cookie)).toBe(failed('refused'));
    await admin.call(saveCrmCredentialsEndpoint, { ...credentials, client_id: 'sandbox-down' });
    const down = await askConsent(admin);
    expect(await comeBack(product, down.query, down.cookie)).toBe(failed('unreachable'));
    const again = await askConsent(admin, 'deny');
    expect(await comeBack(product, again.query, again.cookie)).toBe(failed('denied'));
    const written = (await auditOf(admin)).filter(({ action }) => action === 'crm.connect_failed');
    expect(written.map(({ details }) => details)).toEqual(
      ['denied', 'credentials', 'refused', 'unreachable'].map((reason) => ({ reason })),
    );
  });

  test('disconnecting forgets the tokens, keeps the rest, and may be repeated', async () => {
    await connectCrm(product, admin);
    await admin.call(addRequiredTagsEndpoint, { tags: [{ tag_id: 1001, tag_name: 'Fairlead member' }] });
    for (let times = 0; times < 2; times += 1)
      expect(await admin.call(disconnectCrmEndpoint)).toMatchObject({ connected: false });
    expect(await admin.call(crmCredentialsStatusEndpoint)).toMatchObject({ configured: true });
    expect((await admin.call(listRequiredTagsEndpoint)).items).toHaveLength(1);
    expect((await auditOf(admin)).filter(({ action }) => action === 'crm.disconnected')).toHaveLength(1);
  });

  test('the callback answers no one else', async () => {
    expect((await product.request(CRM_OAUTH_CALLBACK_PATH, { method: 'POST' })).status).toBe(404);
    const response = await product.request(`${CRM_OAUTH_CALLBACK_PATH}?code=x&state=y`);
    expect([response.status, response.headers.get('location')]).toEqual([303, failed('expired')]);
  });
});

describe('tags', () => {
  test('come in pages until a short one, each once, by name', async () => {
    await expect(admin.call(listCrmTagsEndpoint)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
    await connectCrm(product, admin);
    const items: { tag_id: string; tag_name: string }[] = [];
    const sizes: number[] = [];
    for (let offset = 0; sizes.at(-1) === undefined || sizes.at(-1) === 250; offset += 250) {
      const page = await admin.call(listCrmTagsEndpoint, undefined, { offset: String(offset), limit: '250' });
      sizes.push(page.items.length);
      items.push(...page.items);
    }
    expect(sizes).toEqual([250, 250, 100]);
    expect(new Set(items.map(({ tag_id }) => tag_id)).size).toBe(600);
    expect(items.map(({ tag_name }) => tag_name)).toEqual(
      items.map(({ tag_name }) => tag_name).toSorted((a, b) => a.localeCompare(b)),
    );
  });

  test('required ones are added, renamed, listed and removed; ids are text, given as number or text', async () => {
    const add = (tags: Parameters<typeof admin.call<typeof addRequiredTagsEndpoint>>[1]) =>
      admin.call(addRequiredTagsEndpoint, tags);
    await add({
      tags: [
        { tag_id: 7, tag_name: 'Seven' },
        { id: '8', name: 'Eight' },
      ],
    });
    const { items } = await add({
      tags: [
        { tag_id: '7', tag_name: 'Sieben' },
        { tag_id: 7, tag_name: 'Sieben' },
      ],
    });
    expect(items).toEqual([
      { tag_id: '8', tag_name: 'Eight' },
      { tag_id: '7', tag_name: 'Sieben' },
    ]);
    await expect(add({ tags: [] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await admin.call(deleteRequiredTagEndpoint, undefined, { tag_id: '7' })).items).toHaveLength(1);
    expect((await admin.call(deleteRequiredTagEndpoint, undefined, { tag_id: '7' })).items).toHaveLength(1);
    expect((await admin.call(listRequiredTagsEndpoint)).items).toEqual([{ tag_id: '8', tag_name: 'Eight' }]);
  });
});

describe('access of one address', () => {
  const accessOf = (email: string) => admin.call(crmUserAccessEndpoint, undefined, { email });

  test('names the required tags and those that are held', async () => {
    await admin.call(addRequiredTagsEndpoint, {
      tags: [
        { tag_id: '1001', tag_name: 'M' },
        { tag_id: '5', tag_name: 'X' },
      ],
    });
    await expect(accessOf('ann@people.example')).rejects.toMatchObject({ status: 409 });
    await connectCrm(product, admin);
    const required = [
      { tag_id: '1001', tag_name: 'M' },
      { tag_id: '5', tag_name: 'X' },
    ];
    expect(await accessOf('Ann@people.example')).toEqual({ has_any: true, required, matches: [{ tag_id: '1001' }] });
    for (const email of ['untagged@people.example', 'nobody@people.example'])
      expect(await accessOf(email)).toEqual({ has_any: false, required, matches: [] });
  });

  test('says so when the CRM cannot be asked, and nothing internal', async () => {
    await connectCrm(product, admin);
    await expect(accessOf('keapdown@people.example')).rejects.toMatchObject({
      status: 502,
      code: 'PROVIDER_FAILED',
      message: expect.stringContaining('Keap is having trouble'),
    });
    await connectCrm(product, admin, 'sandbox-out-of-credit');
    await expect(accessOf('ann@people.example')).rejects.toMatchObject({ status: 402, code: 'OUT_OF_CREDIT' });
  });
});
