import { serve } from '@hono/node-server';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { createBackendApp } from './app.ts';
import { createTokenVerifier } from './auth/tokens/access-token.ts';

const KEY = 'sb_publishable_test';
const SECRET_KEY = 'sb_secret_test';
const FORMER_KEY = 'sb_publishable_before';
const SITE = 'http://site.example';
let url: string;
let stop: () => Promise<unknown>;
const links: string[] = [];

beforeAll(async () => {
  const { db, pool } = connect(await freshDatabase());
  const issuer = `${SITE}/auth/v1`;
  const app = createBackendApp({
    db,
    pool,
    slowPool: pool,
    issuer,
    siteUrl: SITE,
    publishableKey: KEY,
    formerKeys: [FORMER_KEY],
    secretKey: SECRET_KEY,
    vault: createVault([Buffer.alloc(32, 1).toString('base64')]),
    gate: {
      decide: async () => ({ allow: true, as: 'known' }),
      decideToMove: async () => ({ allow: true, as: 'known' }),
      decideToStay: async () => ({ allow: true, as: 'known' }),
      async admit(tx, { id, email }) {
        await tx.insertInto('app.profiles').values({ user_id: id, email }).execute();
        return { allow: true, role: 'user' };
      },
    },
    sendMail: async ({ text }) => void links.push(text),
    verifyAccessToken: createTokenVerifier({ db, issuer }).verify,
    allowedRedirects: [SITE],
    allowedOrigins: [SITE],
    clientIp: () => '192.0.2.1',
    log: { info() {}, error() {} },
    async onEvent() {},
  });
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const opened = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      url = `http://127.0.0.1:${port}`;
      resolve(opened);
    });
  });
  stop = async () => {
    await new Promise((resolve) => server.close(resolve));
    await db.destroy();
  };
});
afterAll(() => stop());

it('signs in and then reads and writes, with one client', async () => {
  const client = createClient(url, KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  expect((await client.from('lists').select()).error).toMatchObject({ code: '42501' });
  const email = 'ann@people.example';
  expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
  const token = /\b\d{6}\b/.exec(links.at(-1) ?? '')?.[0] ?? '';
  const { data, error } = await client.auth.verifyOtp({ email, token, type: 'email' });
  expect(error).toBeNull();
  const row = { user_id: data.user?.id, name: 'Bakers in Salem, MA', status: 'processing' };
  expect((await client.from('lists').insert(row).select('name').single()).data).toEqual({ name: row.name });
  await client.auth.signOut({ scope: 'local' });
  const after = await fetch(`${url}/rest/v1/lists`, {
    headers: { apikey: KEY, Authorization: `Bearer ${data.session?.access_token}` },
  });
  expect(after.status).toBe(401);
  expect(await after.json()).toMatchObject({ code: 'PGRST301' });
});

it('offers no phone where no one sends text messages', async () => {
  const client = createClient(url, KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  const { error } = await client.auth.signInWithOtp({ phone: '+12175550100' });
  expect(error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
  const settings = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: KEY } });
  expect(await settings.json()).toMatchObject({ external: { phone: false }, sms_provider: '' });
});

describe('the secret key', () => {
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const service = () => createClient(url, SECRET_KEY, options);

  it('opens the admin API and the rows of everyone', async () => {
    const { data } = await service().auth.admin.createUser({ email: 'row@people.example' });
    const row = { user_id: data.user?.id, name: 'Made by the service', status: 'processing' };
    expect((await service().from('lists').insert(row).select('name').single()).data).toEqual({ name: row.name });
    expect((await createClient(url, KEY, options).from('lists').select()).error?.code).toBe('42501');
  });

  it('in the name of a person is that person', async () => {
    const headers = { apikey: SECRET_KEY, Authorization: 'Bearer not.a.token' };
    expect((await fetch(`${url}/rest/v1/lists`, { headers })).status).toBe(401);
    expect((await fetch(`${url}/auth/v1/admin/users`, { headers })).status).toBe(403);
  });

  it.each([KEY, FORMER_KEY, 'sb_secret_tes', 'sb_secret_test2', ''])('is not %o', async (apikey) => {
    const { status } = await fetch(`${url}/auth/v1/admin/users`, { headers: { apikey } });
    expect(status).toBe(401);
  });

  it('is not taken from an address, and not from a browser', async () => {
    expect((await fetch(`${url}/auth/v1/admin/users?apikey=${SECRET_KEY}`)).status).toBe(401);
    const headers = { apikey: SECRET_KEY, 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
    const answer = await fetch(`${url}/auth/v1/admin/users`, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ message: 'Forbidden use of secret API key in browser' }),
    ]);
  });
});

describe('the publishable key', () => {
  it.each(['/auth/v1/settings', '/auth/v1/otp', '/rest/v1/lists', '/rest/v1', '/auth/v1/nothing'])(
    '%s needs it',
    async (path) => {
      const none = await fetch(url + path, path.endsWith('otp') ? { method: 'POST', body: '{}' } : {});
      expect(none.status).toBe(401);
      expect(await none.json()).toMatchObject({ message: 'No API key found in request' });
      const wrong = await fetch(url + path, { headers: { apikey: 'sb_publishable_other' } });
      expect(wrong.status).toBe(401);
      expect(await wrong.json()).toMatchObject({ message: 'Invalid API key' });
    },
  );

  it('may be one that a page was given before', async () => {
    expect((await fetch(`${url}/auth/v1/settings`, { headers: { apikey: FORMER_KEY } })).status).toBe(200);
  });

  it('may come as a parameter', async () => {
    expect((await fetch(`${url}/auth/v1/settings?apikey=${KEY}`)).status).toBe(200);
    // Past the key: what refuses is the role.
    expect(await (await fetch(`${url}/rest/v1/lists?apikey=${KEY}`)).json()).toMatchObject({ code: '42501' });
  });

  it('is not asked of links, health and the public keys', async () => {
    expect((await fetch(`${url}/auth/v1/health`)).status).toBe(200);
    expect((await fetch(`${url}/auth/v1/.well-known/jwks.json`)).status).toBe(200);
    const link = await fetch(`${url}/auth/v1/verify?token=x&type=magiclink`, { redirect: 'manual' });
    expect(link.status).toBe(303);
    expect((await fetch(`${url}/auth/v1/verify`, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describe('other origins', () => {
  const preflight = (origin: string) =>
    fetch(`${url}/rest/v1/lists`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'apikey,authorization,prefer',
      },
    });

  it('may call when they are ours', async () => {
    const answer = await preflight(SITE);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SITE);
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('apikey');
    const refused = await fetch(`${url}/rest/v1/lists`, { headers: { Origin: SITE } });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(SITE);
    expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('Content-Range');
  });

  it('may not otherwise', async () => {
    expect((await preflight('http://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull();
    const answer = await fetch(`${url}/auth/v1/health`, { headers: { Origin: 'http://evil.example' } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

it('answers JSON for every path of its own, and leaves the others alone', async () => {
  for (const path of ['/auth/v1', '/auth/v1/nothing', '/rest/v1', '/rest/v1/', '/rest/v1/a/b', '/storage/v1/object']) {
    const answer = await fetch(url + path, { headers: { apikey: KEY } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Content-Type')).toContain('application/json');
  }
  expect((await fetch(`${url}/lists`)).headers.get('Content-Type')).toContain('text/plain');
});
