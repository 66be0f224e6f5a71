import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** One PostgreSQL for the run of a vitest project, with the migrated database `template_fairlead` that freshDatabase() copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({
    dataDir,
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      autovacuum: 'off', // it would visit each of the databases of the run every minute
    },
  });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const template = await postgres.database('template_fairlead');
    await migrate(template, { hosted: false });
    await installQueue(template);
    project.provide('adminUrl', await postgres.database('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
