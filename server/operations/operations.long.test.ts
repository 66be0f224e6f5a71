import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { reachDatabase } from '#db/connection/reach-database.ts';
import { createVault } from '#db/sealed/vault.ts';
import { keyPlace } from '#server/api-keys/api-key.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { COMPILED_ONCE, type ServerProcess, startServer } from '#test/servers/server-process.ts';

// Each test starts a PostgreSQL and several processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
const servers: ServerProcess[] = [];
const connections: Connection[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(connections.splice(0).map(({ db }) => db.destroy()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const start = async (env: Record<string, string> = {}) => {
  const server = startServer({ DATA_DIR: folder, ...env });
  servers.push(server);
  return { server, url: await server.ready() };
};
const embedded = async () => {
  const connection = connect((await reachDatabase({ databaseUrl: undefined, dataDir: folder })).url);
  connections.push(connection);
  return connection.db;
};
const keysInFile = (): string[] => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')).encryptionKeys;

/** Runs one of the commands to its end, or until `kill`ed. */
async function command(args: string[], { env = {}, kill }: { env?: object; kill?: Promise<unknown> } = {}) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...COMPILED_ONCE, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  void kill?.then(() => child.kill('SIGKILL'));
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}
const backup = (file: string, options = {}) => command(['scripts/backup.mjs', file], options);
const restore = (args: string[], options = {}) => command(['scripts/restore.mjs', ...args], options);
const rotate = (args: string[] = [], options = {}) => command(['scripts/rotate-keys.mjs', ...args], options);

async function clientOf(url: string): Promise<SupabaseClient> {
  const { backendKey } = (await (await fetch(`${url}/config.json`)).json()) as { backendKey: string };
  return createClient(url, backendKey, { auth: { persistSession: false, autoRefreshToken: false } });
}
async function keysAt(url: string, client: SupabaseClient): Promise<unknown> {
  const { data } = await client.auth.getSession();
  const headers = { authorization: `Bearer ${data.session?.access_token}` };
  return ((await (await fetch(`${url}/api/keys`, { headers })).json()) as { data: unknown }).data;
}

/** Someone signs in, stores a key and makes a list. Returns what continues their session, and their keys as they are shown. */
async function leaveTraces(url: string): Promise<{ refreshToken: string; keys: unknown }> {
  const [client, email] = [await clientOf(url), 'ann@people.example'];
  await client.auth.signInWithOtp({ email });
  const mails = (await (await fetch(`${url}/outbox.json`)).json()) as { text: string }[];
  const token = /\b\d{6}\b/.exec(mails[0]?.text ?? '')?.[0] ?? '';
  const { data } = await client.auth.verifyOtp({ email, token, type: 'email' });
  await fetch(`${url}/api/keys/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'hunter_io', apiKey: 'sandbox', save: true }),
  });
  const list = { user_id: data.user?.id, name: 'Bakers', search_params: {}, status: 'processing' };
  expect((await client.from('lists').insert(list)).error).toBeNull();
  return { refreshToken: data.session?.refresh_token ?? '', keys: await keysAt(url, client) };
}

test('what a running server holds is backed up, restored once it has stopped, and moved to another PostgreSQL by one command', async () => {
  const { server, url } = await start();
  const { refreshToken, keys } = await leaveTraces(url);
  const jwks = await (await fetch(`${url}/auth/v1/.well-known/jwks.json`)).json();
  const file = join(folder, 'backup.gz');
  expect(await backup(file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('It does not hold the encryption keys'),
  });
  expect(await restore([file])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Stop all servers, then restore.'),
  });
  await server.stop();
  expect(await restore([file])).toMatchObject({ code: 1, output: expect.stringContaining('then add --replace') });
  expect(await restore([file, '--replace'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('match the backup'),
  });
  const again = await start();
  expect(await (await fetch(`${again.url}/auth/v1/.well-known/jwks.json`)).json()).toEqual(jwks);
  await again.server.stop();

  // The same backup on a PostgreSQL elsewhere.
  const env = { DATABASE_URL: await freshDatabase('empty'), ENCRYPTION_KEYS: keysInFile()[0] ?? '' };
  expect(await restore([file], { env })).toMatchObject({ code: 0 });
  const elsewhere = await start(env);
  expect(await (await fetch(`${elsewhere.url}/auth/v1/.well-known/jwks.json`)).json()).toEqual(jwks);
  // Anyone who was signed in still is, and finds what was theirs; the restore itself has compared a hash of every table.
  const ann = await clientOf(elsewhere.url);
  expect((await ann.auth.refreshSession({ refresh_token: refreshToken })).error).toBeNull();
  expect((await ann.from('lists').select('name')).data).toEqual([{ name: 'Bakers' }]);
  expect(await keysAt(elsewhere.url, ann)).toEqual(keys);
  expect(JSON.stringify(keys)).toContain('hunter_io');

  expect(await command(['scripts/rotate-signing-key.mjs'], { env })).toMatchObject({
    code: 0,
    output: expect.stringContaining('No one is signed out.'),
  });
  expect((await ann.auth.refreshSession()).error).toBeNull();
});

test('keys are rotated under a running server, also when that is killed halfway', async () => {
  const { server, url } = await start();
  await fetch(`${url}/auth/v1/.well-known/jwks.json`);
  const db = await embedded();
  const [oldKey = ''] = keysInFile();
  const vault = createVault([oldKey]);
  const ids = Array.from({ length: 2_000 }, () => randomUUID());
  await db
    .insertInto('auth.users')
    .values(ids.map((id) => ({ id })))
    .execute();
  await db
    .insertInto('app.provider_keys')
    .values(
      ids.map((id) => ({
        user_id: id,
        provider: 'hunter_io' as const,
        sealed_key: vault.seal(id, keyPlace(id, 'hunter_io')),
        last_four: id.slice(-4),
        fingerprint: vault.fingerprint(`hunter_io:${id}`),
        sandbox: false,
      })),
    )
    .execute();
  const sealedWith = async (keyId: string | undefined) => {
    const rows = await db.selectFrom('app.provider_keys').select('sealed_key').execute();
    return rows.filter((row) => row.sealed_key.startsWith(`v1.${keyId}.`)).length;
  };

  const halfway = expect
    .poll(() => (keysInFile().length === 2 ? sealedWith(createVault(keysInFile()).keyIds[0]) : 0), {
      timeout: 60_000,
      interval: 20,
    })
    .toBeGreaterThan(100);
  expect((await rotate([], { kill: halfway })).code).toBeNull();
  const keys = keysInFile();
  expect(keys).toHaveLength(2);
  const left = await sealedWith(vault.keyIds[0]);
  expect(left).toBeGreaterThan(0);
  expect((await fetch(`${url}/auth/v1/.well-known/jwks.json`)).status).toBe(200);
  expect(await rotate(['--drop-old'])).toMatchObject({ code: 1, output: expect.stringContaining('still needed') });

  const finished = await rotate();
  expect(finished.output).toContain(`provider_keys.sealed_key: ${left} sealed with the new key`);
  expect(finished).toMatchObject({ code: 0, output: expect.stringContaining('--drop-old') });
  expect(keysInFile()).toEqual(keys);
  expect(await sealedWith(vault.keyIds[0])).toBe(0);

  expect((await rotate(['--drop-old'])).code).toBe(0);
  expect(keysInFile()).toEqual(keys.slice(0, 1));
  const row = await db.selectFrom('app.provider_keys').selectAll().executeTakeFirstOrThrow();
  expect(createVault(keysInFile()).open(row.sealed_key, keyPlace(row.user_id, 'hunter_io'))).toBe(row.user_id);
  await server.stop();
  await start();
});

test('a start without the key that sealed what is stored says so, and serves nothing', async () => {
  const { server, url } = await start();
  await fetch(`${url}/auth/v1/.well-known/jwks.json`);
  await server.stop();
  const wrong = start({ ENCRYPTION_KEYS: randomBytes(32).toString('base64') });
  await expect(wrong).rejects.toThrow(
    'No key in ENCRYPTION_KEYS opens some of the stored secrets (1 in signing_keys.sealed_private_jwk)',
  );
  rmSync(join(folder, 'secrets.json'));
  await expect(start()).rejects.toThrow(/No key in .*secrets\.json opens/);
});

test('one key in ENCRYPTION_KEYS is not rotated, but explained', async () => {
  const env = { DATABASE_URL: await freshDatabase(), ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  expect(await rotate([], { env })).toMatchObject({
    code: 1,
    output: expect.stringContaining('Put a new one before it'),
  });
  expect(await rotate(['--force'], { env })).toMatchObject({ code: 1, output: expect.stringContaining('Usage:') });
});
