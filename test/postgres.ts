import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { migrate } from '#db/migrate.ts';
import { installQueue } from '#jobs/install-queue.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's address of the run's PostgreSQL, database `postgres`. */
    adminUrl: string;
  }
}

/** A new folder under the system's temporary one that PostgreSQL's user can enter. The caller removes it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Where the databases of a run are, and how that PostgreSQL is left behind. */
type Server = { database(name: string): Promise<string>; stop(): Promise<void> };

async function ownServer(): Promise<Server> {
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({
    dataDir,
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '600' },
      autovacuum: 'off', // it would visit each of the databases of the run every minute
    },
  });
  return {
    database: (name) => postgres.database(name),
    async stop() {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL that somebody else runs for tests, by a superuser's address. The databases of a run stay in it. */
function otherServer(adminUrl: string): Server {
  return {
    async database(name) {
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      if (name === 'postgres') return url.href;
      const admin = new pg.Client({ connectionString: adminUrl });
      await admin.connect();
      try {
        await admin.query(`drop database if exists ${name}`);
        await admin.query(`create database ${name} template template0`);
      } finally {
        await admin.end();
      }
      return url.href;
    },
    stop: async () => {},
  };
}

/**
 * One PostgreSQL for the run of a vitest project, with the migrated database `template_fairlead` that freshDatabase() copies: an
 * embedded one, or that of TEST_DATABASE_URL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const elsewhere = process.env.TEST_DATABASE_URL;
  const postgres = elsewhere ? otherServer(elsewhere) : await ownServer();
  try {
    const template = await postgres.database('template_fairlead');
    await migrate(template, { hosted: false });
    await installQueue(template);
    project.provide('adminUrl', await postgres.database('postgres'));
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres.stop;
}
