import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '#db/embedded/attach.ts';
import { filesOf } from '#db/embedded/initialize.ts';
import { locate } from '#db/embedded/locate.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { runningPostmaster } from '#db/embedded/postmaster.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { assertOwnConnections } from './transaction-pooler.ts';

/** A database for a command's own short work. `stop` stops what had to be started for it. */
export type ReachedDatabase = { url: string; stop(): Promise<void> };

/**
 * Reaches the database as its owner, by the first of these:
 * - DATABASE_OWNER_URL, DATABASE_DIRECT_URL or DATABASE_URL
 * - the embedded PostgreSQL of a server that is running on DATA_DIR
 * - that PostgreSQL, started for now
 * @throws Error, with a text for the user, where an address leads to a pooler that shares connections.
 */
export async function reachDatabase(env: {
  databaseUrl: string | undefined;
  databaseOwnerUrl?: string | undefined;
  databaseDirectUrl?: string | undefined;
  dataDir: string;
}): Promise<ReachedDatabase> {
  const elsewhere = env.databaseOwnerUrl ?? env.databaseDirectUrl ?? env.databaseUrl;
  if (elsewhere) {
    await assertOwnConnections(elsewhere);
    return { url: elsewhere, stop: async () => {} };
  }
  const running = existsSync(env.dataDir) ? findRunning(env.dataDir) : undefined;
  if (running) return { url: running, stop: async () => {} };
  const postgres = await startPostgres({ dataDir: env.dataDir });
  return { url: await postgres.database('fairlead'), stop: () => postgres.stop() };
}

function findRunning(dataDir: string): string | undefined {
  const { folder } = locate(dataDir, chooseOwner(filesOf(join(dataDir, 'postgres')).cluster));
  const running = runningPostmaster(filesOf(folder).cluster);
  return running && addressOf(folder, running.port, 'fairlead');
}
