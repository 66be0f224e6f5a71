import { rmSync } from 'node:fs';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '#db/connection/client.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';

/** The whole server over HTTP, with supabase-js as the client: what the routes alone cannot show. */
let server: ServerProcess;
let db: Db;
let url: string;
let key: string;
const folder = temporaryFolder();
beforeAll(async () => {
  const database = await freshDatabase();
  ({ db } = connect(database));
  server = startServer({ DATA_DIR: folder, DATABASE_URL: database, ENCRYPTION_KEYS: ENCRYPTION_KEY });
  url = await server.ready();
  key = ((await (await fetch(`${url}/config.json`)).json()) as { backendKey: string }).backendKey;
}, 60_000);
afterAll(async () => {
  await server.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});
const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');

async function mailedCode(email: string): Promise<string> {
  const mails = (await (await fetch(`${url}/outbox.json`)).json()) as { to: string; subject: string; text: string }[];
  return mails.find((mail) => mail.to === email)?.text.match(/: (\d{6})$/m)?.[1] ?? '';
}

const newClient = () => createClient(url, key, { auth: { autoRefreshToken: false, persistSession: false } });

async function signIn(email: string) {
  // People wait between two mails; this does not.
  await db.deleteFrom('app.rate_limits').execute();
  const client = newClient();
  const asked = await client.auth.signInWithOtp({ email });
  if (asked.error) throw asked.error;
  const { data, error } = await client.auth.verifyOtp({ email, token: await mailedCode(email), type: 'email' });
  if (error) throw error;
  return { client, token: data.session?.access_token ?? '' };
}

async function api(token: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, data: ((await response.json()) as { data?: Record<string, unknown> }).data };
}
const reason = async (email: string) => (await api('', '/api/auth/precheck', { email })).data?.reason;

test('invited, disabled on all three APIs at once, and back in with nothing lost', { timeout: 60_000 }, async () => {
  const admin = (await signIn('owner@harbour.example')).token;
  const email = 'ann@harbour.example';
  const invited = await api(admin, '/api/admin/users/invite', { email });
  await api(admin, '/api/admin/users/invitations/withdraw', { id: invited.data?.id });
  expect(await reason(email)).toBe('NO_CONTACT');
  expect((await newClient().auth.signInWithOtp({ email })).error).toMatchObject({ status: 403 });
  await api(admin, '/api/admin/users/invite', { email });
  expect(await reason(email)).toBeNull();
  const { client, token } = await signIn(email);

  const { data: session } = await client.auth.getSession();
  const user_id = session.session?.user.id ?? '';
  const list = { user_id, name: 'Dentists in Oldport', search_params: {}, status: 'processing' };
  expect((await client.from('lists').insert(list)).error).toBeNull();
  expect((await client.from('lists').select('name')).data).toEqual([{ name: list.name }]);
  expect((await api(token, '/api/keys')).status).toBe(200);

  expect((await api(admin, '/api/admin/users/set-status', { user_id, status: 'disabled' })).status).toBe(200);
  expect((await api(token, '/api/keys')).status).toBe(401);
  const read = await client.from('lists').select('name');
  expect(read.data ?? []).toEqual([]);
  expect((await client.auth.refreshSession()).error).toMatchObject({ name: expect.stringMatching(/^Auth.*Error$/) });
  expect(await reason(email)).toBe('DISABLED');

  await api(admin, '/api/admin/users/set-status', { user_id, status: 'active' });
  const back = await signIn(email);
  expect((await back.client.from('lists').select('name')).data).toEqual([{ name: list.name }]);
  const log = await api(admin, `/api/admin/audit?target=${email}`);
  const { items } = log.data as { items: { action: string }[] };
  const actions = items.map((line) => line.action);
  expect(actions.filter((action) => action === 'user.status_changed')).toHaveLength(2);
  expect(actions).toEqual(expect.arrayContaining(['session.signed_in', 'access.refused', 'invitation.withdrawn']));
});
