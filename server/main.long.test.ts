import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '#db/embedded/free-port.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';

// Each test starts a PostgreSQL or more, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
const running: ServerProcess[] = [];
const start = (env: Record<string, string> = {}) => {
  const server = startServer({ DATA_DIR: folder, ...env });
  running.push(server);
  return server;
};
const postmasterFile = () => join(folder, 'postgres', 'cluster', 'postmaster.pid');
const postmasterPid = () => Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]);
const health = async (address: string) => (await fetch(new URL('/healthz', address))).json();

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

test('starts, answers, refuses another on its folder, and SIGINT stops PostgreSQL too, also when it comes twice', async () => {
  const server = start();
  const address = await server.ready();
  expect(await health(address)).toEqual({ status: 'ok' });
  expect(existsSync(postmasterFile())).toBe(true);
  await expect(start().ready()).rejects.toThrow(
    /ended with code 1:\nThe data in .* is in use by another running Fairlead/,
  );
  expect(await health(address)).toEqual({ status: 'ok' });
  server.child.kill('SIGINT');
  expect(await server.stop('SIGINT')).toBe(0);
  expect(existsSync(postmasterFile())).toBe(false);
});

test('a start after kill -9 takes over what was left running, and SIGTERM stops that too, also when it comes twice', async () => {
  const killed = start();
  await killed.ready();
  const pid = postmasterPid();
  await killed.stop('SIGKILL');
  const next = start();
  await next.ready();
  expect(next.output).toContain('PostgreSQL taken over');
  expect(postmasterPid()).toBe(pid);
  next.child.kill('SIGTERM');
  expect(await next.stop('SIGTERM')).toBe(0);
  expect(existsSync(postmasterFile())).toBe(false);
});

test('a taken port is named, and PostgreSQL is stopped again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const server = start({ PORT: String(port) });
  await expect(server.ready()).rejects.toThrow(`ended with code 1:\nPort ${port} on 127.0.0.1 is in use`);
  expect(existsSync(postmasterFile())).toBe(false);
  other.close();
});

test('bad values are named before anything is started', async () => {
  const server = start({ ROLE: 'king-of-all', PORT: 'x' });
  const message = await server.ready().then(String, String);
  expect(message).toContain('PORT must be');
  expect(message).toContain('ROLE must be');
  expect(message).not.toContain('king-of-all');
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
});

test('does not start at a public address where no one could sign in, and says which variables are missing', async () => {
  const server = start({ PUBLIC_URL: 'https://leads.example' });
  await expect(server.ready()).rejects.toThrow(
    /ended with code 1:\n(?:.*\n)*.*SMTP_URL is needed when PUBLIC_URL [^\n]*no one could sign in/,
  );
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
});

test('keeps no mail at a public address: what a relay passes on looks local', async () => {
  const port = await freePort();
  const server = start({
    PORT: String(port),
    PUBLIC_URL: 'https://leads.example',
    ADMIN_EMAILS: 'ann@leads.example',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'fairlead',
    OIDC_CLIENT_SECRET: 's',
  });
  await server.ready();
  const site = `http://localhost:${port}`;
  const { backendKey } = (await (await fetch(`${site}/config.json`)).json()) as { backendKey: string };
  const headers = { apikey: backendKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ann@leads.example' });
  await fetch(`${site}/auth/v1/otp`, { method: 'POST', headers, body });
  for (const path of ['/outbox', '/outbox.json']) expect(await (await fetch(site + path)).text()).not.toContain('ann@');
  expect(server.output).not.toContain('ann@leads.example');
  expect(existsSync(join(folder, 'outbox'))).toBe(false);
});

test('runs on a PostgreSQL elsewhere and leaves it running', async () => {
  const env = { DATABASE_URL: await freshDatabase('empty'), ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64') };
  const port = String(await freePort());
  const [one, two] = [start(env), start({ ...env, ROLE: 'web', PORT: port, PUBLIC_URL: `http://localhost:${port}` })];
  expect(await Promise.all([health(await one.ready()), health(await two.ready())])).toEqual([
    { status: 'ok' },
    { status: 'ok' },
  ]);
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  expect(await one.stop()).toBe(0);
  expect(await health(await two.ready())).toEqual({ status: 'ok' });
});

test('an unusable DATABASE_URL is explained without its password', async () => {
  const url = new URL(await freshDatabase('empty'));
  url.password = 'not-the-password';
  const server = start({ DATABASE_URL: url.href, ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64') });
  const message = await server.ready().then(String, String);
  expect(message).toContain('DATABASE_URL does not lead to a usable database');
  expect(message).toContain('password authentication failed');
  expect(message).not.toContain('not-the-password');
});
