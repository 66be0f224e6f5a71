import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { installQueue } from '#jobs/install-queue.ts';
import { createDatabase } from './database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the login that owns the databases of the run and may create them and roles, at the database `postgres`. */
    ownerUrl: string;
    /** Whether those databases are kept in memory, where they are dropped as soon as no one needs them. */
    inMemory: boolean;
  }
}

/** For a PostgreSQL whose data no one will miss. */
export const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '600',
  autovacuum: 'off', // it would visit each of the databases of the run every minute
  max_wal_size: '256MB', // the log may be in memory
};

/** Linux's folder in memory. Creating the 900 files of a database costs a tenth there of what it costs on a disk. */
const MEMORY = '/dev/shm';
/** What must be free, in bytes: the databases of the whole suite take up to 1.3 GB, and its processes more. */
const ENOUGH = 8 * 2 ** 30;

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH && freemem() > ENOUGH;
  } catch {
    return false;
  }
}

/** A new folder under the system's temporary one that PostgreSQL's user can enter. The caller removes it. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'fairlead-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Makes the migrated database `template_fairlead` that freshDatabase() copies, and tells the tests where. */
export async function provideDatabases(project: TestProject, ownerUrl: string, inMemory: boolean): Promise<void> {
  const template = await createDatabase(ownerUrl, 'template_fairlead');
  await migrate(template, { hosted: false });
  await installQueue(template);
  project.provide('ownerUrl', ownerUrl);
  project.provide('inMemory', inMemory);
}

/** One embedded PostgreSQL for the run of a vitest project. Its superuser owns the databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const inMemory = hasMemory();
  const dataDir = temporaryFolder(inMemory ? MEMORY : tmpdir());
  const postgres = await startPostgres({ dataDir, settings: SETTINGS });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await provideDatabases(project, await postgres.database('postgres'), inMemory);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
