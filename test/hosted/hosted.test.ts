import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listenToLists } from '#test/servers/live-listener.ts';
import { type Hosted, PUBLISHABLE_KEY, SECRET_KEY, startHosted } from './start-hosted.ts';

// Two processes are started, and people sign in.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

const ADMIN = 'admin@people.example';
const ANN = 'ann@people.example';
const BEA = 'bea@people.example';
const SILENT = { auth: { persistSession: false, autoRefreshToken: false } };

let hosted: Hosted;
let site: string;
let backend: string;
let db: pg.Client;
const service = () => createClient(backend, SECRET_KEY, SILENT).auth.admin;

beforeAll(async () => {
  hosted = await startHosted({ adminEmails: ADMIN });
  ({ site, backend } = hosted);
  db = new pg.Client({ connectionString: hosted.databaseUrl });
  await db.connect();
});
afterAll(async () => {
  await db?.end();
  await hosted?.stop();
});

/** Opens a link as a browser does, in a client of its own. */
async function open(email: string, type: 'email' | 'invite' = 'email'): Promise<SupabaseClient> {
  const client = createClient(backend, PUBLISHABLE_KEY, SILENT);
  const token_hash = (await hosted.linkTo(email)).searchParams.get('token') ?? '';
  const { error } = await client.auth.verifyOtp({ token_hash, type });
  if (error) throw error;
  return client;
}

async function api(client: SupabaseClient, method: string, path: string, body?: object) {
  const { data } = await client.auth.getSession();
  const headers = { Authorization: `Bearer ${data.session?.access_token}`, 'Content-Type': 'application/json' };
  const response = await fetch(site + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: await response.json() };
}

test('the browser is told where Supabase is, and may talk to it; this server answers nothing in its place', async () => {
  const config = await fetch(`${site}/config.json`);
  expect(await config.json()).toMatchObject({ backendUrl: backend, backendKey: PUBLISHABLE_KEY, mailbox: false });
  const sockets = backend.replace('http', 'ws');
  const page = await fetch(`${site}/login`);
  expect(page.headers.get('Content-Security-Policy')).toContain(`connect-src 'self' ${backend} ${sockets};`);
  expect((await fetch(`${site}/auth/v1/settings`)).headers.get('Content-Type')).not.toContain('json');
  const preflight = (origin: string) =>
    fetch(`${backend}/rest/v1/lists`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });
  expect((await preflight(site)).headers.get('Access-Control-Allow-Origin')).toBe(site);
  expect((await preflight('https://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull();
});

test('sign in by link, invite, search, disable, let back in, promote, delete', async () => {
  const visitor = createClient(backend, PUBLISHABLE_KEY, SILENT);
  const refused = await visitor.auth.signInWithOtp({ email: 'stranger@people.example' });
  expect(refused.error).toMatchObject({ status: 403, message: expect.stringContaining('Access denied') });

  expect((await visitor.auth.signInWithOtp({ email: ADMIN })).error).toBeNull();
  const admin = await open(ADMIN);
  expect(await api(admin, 'GET', '/api/admin/users/list')).toMatchObject({
    status: 200,
    body: { data: { items: [{ email: ADMIN, role: 'admin' }] } },
  });
  // Made administrator by the configuration: the copy of the role, by which the menu goes, follows the first request.
  const adminId = (await admin.auth.getUser()).data.user?.id ?? '';
  const copy = async () => (await service().getUserById(adminId)).data.user?.user_metadata;
  await expect.poll(copy).toMatchObject({ role: 'admin' });

  const elsewhere = { email: 'cas@elsewhere.example', role: 'user' };
  expect(await api(admin, 'POST', '/api/admin/users/invite', elsewhere)).toMatchObject({
    status: 502,
    body: { error: 'MAIL_FAILED', message: expect.stringContaining('Set up a mail server there') },
  });
  const invited = await api(admin, 'POST', '/api/admin/users/invite', { email: ANN, role: 'user' });
  expect(invited.status).toBe(200);
  const ann = await open(ANN, 'invite');
  const { data } = await ann.auth.getSession();
  const annId = data.session?.user.id ?? '';
  expect(data.session?.user.user_metadata).toMatchObject({ role: 'user' });
  expect((await api(ann, 'GET', '/api/admin/users/list')).status).toBe(403);

  const save = { provider: 'google_places', apiKey: 'sandbox', save: true };
  expect((await api(ann, 'POST', '/api/keys/test', save)).body).toMatchObject({ data: { valid: true } });
  const listener = await listenToLists(ann, annId);
  expect(listener.statuses).toEqual(['SUBSCRIBED']);
  const row = { user_id: annId, name: 'Bakers in Salem, MA', status: 'processing' };
  const list = await ann.from('lists').insert(row).select().single();
  expect(list.error).toBeNull();
  const wish = { query: 'bakery', location: 'Salem, MA', list_id: list.data?.id, radius: 40_234, maxResults: 20 };
  expect((await api(ann, 'POST', '/api/search-leads', wish)).body).toMatchObject({ success: true });
  await expect.poll(() => listener.of(list.data?.id).at(-1)?.list?.status).toBe('completed');
  await ann.removeAllChannels();
  const found = await ann.from('leads').select('*').eq('list_id', list.data?.id);
  expect(found.data?.length).toBeGreaterThan(0);
  expect((await admin.from('lists').select('*')).data).toEqual([]);

  const disabled = await api(admin, 'POST', '/api/admin/users/set-status', { user_id: annId, status: 'disabled' });
  expect(disabled.status).toBe(200);
  expect((await service().getUserById(annId)).data.user?.banned_until).toBeDefined();
  expect((await api(ann, 'GET', '/api/keys')).status).toBe(403);
  expect((await ann.from('lists').select('*')).data ?? []).toEqual([]);
  expect((await ann.auth.refreshSession()).error?.code).toBe('user_banned');

  await api(admin, 'POST', '/api/admin/users/set-status', { user_id: annId, status: 'active' });
  const link = await service().generateLink({ type: 'magiclink', email: ANN });
  const back = createClient(backend, PUBLISHABLE_KEY, SILENT);
  const token_hash = link.data.properties?.hashed_token ?? '';
  expect((await back.auth.verifyOtp({ token_hash, type: 'email' })).error).toBeNull();
  expect((await back.from('lists').select('name')).data).toEqual([{ name: row.name }]);
  expect((await back.auth.refreshSession()).error).toBeNull();

  const promoted = await api(admin, 'POST', '/api/admin/users/set-role', { user_id: annId, role: 'admin' });
  expect(promoted.status).toBe(200);
  expect((await service().getUserById(annId)).data.user?.user_metadata).toMatchObject({ role: 'admin' });
  expect((await api(back, 'GET', '/api/admin/users/list')).status).toBe(200);
  expect((await api(back, 'GET', '/api/account/sessions')).body).toMatchObject({
    data: { sessions: [{ isCurrent: true }] },
  });
  expect((await api(back, 'GET', '/api/account/export')).body).toMatchObject({ account: { email: ANN } });

  expect(await api(back, 'DELETE', '/api/account', { email: ANN })).toMatchObject({ status: 200 });
  expect((await service().getUserById(annId)).error?.code).toBe('user_not_found');
  const left = await db.query('select from app.profiles where user_id = $1', [annId]);
  expect(left.rowCount).toBe(0);
  expect((await api(back, 'GET', '/api/keys')).status).toBe(401);
});

/** Signs in by a link that no mail was sent with. */
async function signIn(email: string): Promise<SupabaseClient> {
  const client = createClient(backend, PUBLISHABLE_KEY, SILENT);
  const { data } = await service().generateLink({ type: 'magiclink', email });
  const token_hash = data.properties?.hashed_token ?? '';
  const { error } = await client.auth.verifyOtp({ token_hash, type: 'email' });
  if (error) throw error;
  return client;
}

test('a second step that was set up at Supabase is asked for here, until an administrator resets it', async () => {
  const admin = await signIn(ADMIN);
  expect((await api(admin, 'POST', '/api/admin/users/invite', { email: BEA, role: 'user' })).status).toBe(200);
  const bea = await open(BEA, 'invite');
  // The first request writes the profile.
  expect((await api(bea, 'GET', '/api/keys')).status).toBe(200);
  const user_id = (await bea.auth.getUser()).data.user?.id ?? '';
  await bea.from('lists').insert({ user_id, name: 'Bakers in Salem, MA', status: 'processing' });
  const { data } = await bea.auth.mfa.enroll({ factorType: 'totp' });
  expect((await api(bea, 'GET', '/api/keys')).status).toBe(200);
  const code = new TOTP({ secret: data?.totp.secret ?? '' }).generate();
  const proven = await bea.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code });
  expect(proven.error).toBeNull();
  expect((await api(bea, 'GET', '/api/keys')).status).toBe(200);

  const mailOnly = await signIn(BEA);
  expect(await api(mailOnly, 'GET', '/api/keys')).toMatchObject({
    status: 403,
    body: { error: 'SECOND_STEP_REQUIRED' },
  });
  expect((await mailOnly.from('lists').select('name')).data ?? []).toEqual([]);

  const reset = () => api(admin, 'POST', '/api/admin/users/reset-second-step', { user_id });
  expect(await reset()).toMatchObject({ status: 200, body: { data: { factors: 1 } } });
  expect((await service().mfa.listFactors({ userId: user_id })).data?.factors).toEqual([]);
  expect((await api(mailOnly, 'GET', '/api/keys')).status).toBe(200);
  expect((await mailOnly.from('lists').select('name')).data).toHaveLength(1);
  expect(await reset()).toMatchObject({ status: 200, body: { data: { factors: 0 } } });
});
