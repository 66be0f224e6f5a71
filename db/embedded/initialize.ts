import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { childEnvironment, MAJOR } from './constants.ts';
import type { Owner } from './owner.ts';

/** The files of a home: `cluster` is PostgreSQL's data directory, `password` its superuser's, `log` what it prints. */
export const filesOf = (home: string) => ({
  cluster: join(home, 'cluster'),
  password: join(home, 'password'),
  log: join(home, 'log'),
});

/** Makes the cluster in a temporary folder that is renamed: a half-made one is never seen, and of two starters one wins. */
export function initialize(home: string, bin: string, owner: Owner | undefined): void {
  mkdirSync(dirname(home), { recursive: true });
  const temporary = mkdtempSync(`${home}.new-`);
  const { cluster, password, log } = filesOf(temporary);
  try {
    writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
    writeFileSync(log, '', { mode: 0o600 });
    if (owner) for (const path of [temporary, password, log]) chownSync(path, owner.uid, owner.gid);
    const made = spawnSync(
      join(bin, 'initdb'),
      [
        '--pgdata',
        cluster,
        '--username=postgres',
        '--auth=scram-sha-256',
        `--pwfile=${password}`,
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      { ...owner, cwd: '/', encoding: 'utf8', env: childEnvironment() },
    );
    if (made.status !== 0)
      throw new Error(`PostgreSQL could not make its database: ${made.error?.message ?? (made.stderr || made.stdout)}`);
    renameSync(temporary, home);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(filesOf(home).cluster)) throw error;
  }
}

/** @throws Error, and changes nothing, unless `home` is a cluster that these binaries made. */
export function assertOurs(home: string): void {
  let version: string;
  try {
    version = readFileSync(join(filesOf(home).cluster, 'PG_VERSION'), 'utf8').trim();
    readFileSync(filesOf(home).password);
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new Error(`${home} belongs to another user. Start as that user or as root, or choose another DATA_DIR.`);
    throw new Error(
      `${home} is not a Fairlead database, so nothing was changed. Move it away, or choose another DATA_DIR.`,
    );
  }
  if (version !== MAJOR)
    throw new Error(
      `${home} was made by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR}. ` +
        'Dump it with the old version and restore it here, or choose another DATA_DIR.',
    );
}
