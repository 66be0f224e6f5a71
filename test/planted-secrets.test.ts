import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '#db/embedded/free-port.ts';
import { freshDatabase } from './databases/database.ts';
import { temporaryFolder } from './databases/postgres.ts';
import { type MailServer, startMailServer } from './servers/mail-server.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const EMAIL = 'planted.person@people.example';
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const HOOK_KEY = randomBytes(32).toString('base64');
const planted = () => randomBytes(12).toString('hex');
/** The last four characters are shown on purpose. */
const KEYS = { google_places: `sandbox-${planted()}-wxyz`, hunter_io: `sandbox-${planted()}-wxyz` };
const REFUSED_KEY = `real-${planted()}-wxyz`;

let folder: string;
let mail: MailServer;
let server: ServerProcess;
let databaseUrl: string;
let metrics: string;
/** All that the product has answered, but for what signs in. */
const answers: string[] = [];
const secrets: Record<string, string> = {
  'a provider key': KEYS.google_places.slice(8, -5),
  'another provider key': KEYS.hunter_io.slice(8, -5),
  'a refused key': REFUSED_KEY.slice(5, -5),
  'the encryption key': ENCRYPTION_KEY,
  'the secret of the hooks': HOOK_KEY,
};

beforeAll(async () => {
  folder = temporaryFolder();
  mail = await startMailServer();
  databaseUrl = await freshDatabase('empty');
  const metricsPort = await freePort();
  server = startServer({
    NODE_ENV: 'production',
    SANDBOX: 'on',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    SUPABASE_HOOK_SECRET: `v1,whsec_${HOOK_KEY}`,
    SMTP_URL: mail.url,
    ADMIN_EMAILS: `${EMAIL},nobody@people.example`,
    SEARCHBUG_URL: 'http://127.0.0.1:9',
    METRICS_PORT: String(metricsPort),
  });
  const url = await server.ready();
  await useEverything(url);
  metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
});
afterAll(async () => {
  await server.stop();
  await mail.close();
  rmSync(folder, { recursive: true, force: true });
});

async function useEverything(url: string): Promise<void> {
  const { backendKey } = (await (await fetch(`${url}/config.json`)).json()) as { backendKey: string };
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { apikey: backendKey, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { text: await response.text(), location: response.headers.get('location') ?? '' };
  };
  const readMail = () => (mail.received.at(-1) ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=');

  await send('POST', '/api/auth/precheck', { email: EMAIL });
  await send('POST', '/auth/v1/otp', { email: 'nobody@people.example', create_user: true }); // the mail server refuses it
  await send('POST', '/auth/v1/otp', { email: EMAIL, create_user: true });
  secrets['a link'] = /verify\?token=([\w-]+)/.exec(readMail())?.[1] ?? '';
  const opened = await send('GET', `/auth/v1/verify?token=${secrets['a link']}&type=magiclink`);
  const session = new URLSearchParams(opened.location.split('#')[1]);
  const refreshed = JSON.parse(
    (await send('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: session.get('refresh_token') }))
      .text,
  );
  Object.assign(secrets, {
    'an access token': refreshed.access_token,
    'a signature': refreshed.access_token.split('.')[2],
    'a spent refresh token': session.get('refresh_token') ?? '',
    'a refresh token': refreshed.refresh_token,
  });

  const bearer = { authorization: `Bearer ${refreshed.access_token}` };
  const call = async (method: string, path: string, body?: object) => {
    const { text } = await send(method, path, body, { prefer: 'return=representation', ...bearer });
    answers.push(text);
    return JSON.parse(text || 'null');
  };
  for (const [provider, apiKey] of Object.entries(KEYS))
    await call('POST', '/api/keys/test', { provider, apiKey, save: true });
  await call('POST', '/api/keys/test', { provider: 'searchbug', apiKey: `12345678:${REFUSED_KEY}`, save: true });
  await call('GET', '/api/keys');
  const [list] = await call('POST', '/rest/v1/lists', {
    user_id: refreshed.user.id,
    name: 'Dentists in Springfield, IL',
    search_params: {},
    status: 'processing',
  });
  const search = { query: 'dentist', location: 'Springfield, IL', list_id: list.id, radius: 40_000, maxResults: 20 };
  await call('POST', '/api/search-leads', search);
  await call('POST', '/api/enrich/emails', { list_id: list.id, steps: ['hunter'] });
  await call('POST', '/api/compliance', { list_id: list.id });
  await call('GET', `/rest/v1/leads?list_id=eq.${list.id}`);
  // Refused in words that repeat what was asked, which is for the log to keep out.
  await send('GET', `/rest/v1/lists?name=eq.${EMAIL}&nothing=${refreshed.refresh_token}`, undefined, bearer);
  for (const email of [EMAIL, 'nobody-at-all@people.example']) {
    const event = { metadata: { name: 'before-user-created' }, user: { email } };
    const seconds = Math.floor(Date.now() / 1000);
    const text = `planted-${email.length}.${seconds}.${JSON.stringify(event)}`;
    const signature = createHmac('sha256', Buffer.from(HOOK_KEY, 'base64')).update(text).digest('base64');
    secrets[`the signature of a webhook about ${email}`] = signature;
    const headers = { 'webhook-id': `planted-${email.length}`, 'webhook-timestamp': String(seconds) };
    const path = '/api/auth/hooks/before-user-created';
    answers.push((await send('POST', path, event, { ...headers, 'webhook-signature': `v1,${signature}` })).text);
  }
  await call('GET', '/api/account');
  await call('GET', '/api/account/export');
  await call('GET', '/api/runs');
}

test('what was planted was used', async () => {
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(10);
  const all = answers.join('\n');
  expect(all).toContain('"saved":true');
  expect(all).toContain('business_name');
  expect(all).toContain('"http_code":403');
  expect(server.output).toContain('a key was refused');
  expect(server.output).toContain('A sign-in email could not be sent');
  const lines = server.output.split('\n').filter((line) => line.startsWith('{'));
  const ofRequests = lines.map((line) => JSON.parse(line)).filter((line) => line.path || line.userId || line.provider);
  expect(ofRequests.length).toBeGreaterThan(15);
  expect(ofRequests.every((line) => line.requestId)).toBe(true);
});

test.each<[string, () => string | Promise<string>]>([
  ['the log', () => server.output],
  ['answers and exports', () => answers.join('\n')],
  ['metrics', () => metrics],
  ['the database', () => databaseText()],
  ['a backup', () => backupText()],
])('no secret in %s', async (where, read) => {
  const text = await read();
  expect(text.length).toBeGreaterThan(1_000);
  for (const [name, secret] of Object.entries(secrets))
    expect(text.includes(secret), `${name} in ${where}`).toBe(false);
});

test('log and metrics hold no address either', () => {
  for (const text of [server.output, metrics]) expect(text).not.toMatch(/[\w.]+@people\.example/);
});

test('metrics name routes by their pattern', () => {
  expect(metrics).toContain('route="/rest/v1/:table",status="200"');
  expect(metrics).toContain('route="/api/search-leads",status="200"');
  expect(metrics).toMatch(/fairlead_runs_ended_total\{kind="enrichment",state="completed"\} 1/);
  expect(metrics).toMatch(/fairlead_paid_calls_total\{provider="hunter_io",outcome="answered"\} [1-9]/);
  expect(metrics).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
});

/** Every row of every table, as text. */
async function databaseText(): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r'
     and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`,
  );
  let text = '';
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select one::text as row from ${name} as one`);
    text += rows.map(({ row }) => `${row}\n`).join('');
  }
  await client.end();
  return text;
}

function backupText(): string {
  const file = join(folder, 'backup.gz');
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: ENCRYPTION_KEY, DATA_DIR: folder };
  spawnSync(process.execPath, ['scripts/backup.mjs', file], { env });
  return gunzipSync(readFileSync(file)).toString('utf8');
}
