import { join } from 'node:path';
import { addressOf } from '#db/embedded/attach.ts';
import { filesOf } from '#db/embedded/initialise.ts';
import { locate } from '#db/embedded/locate.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { runningPostmaster } from '#db/embedded/postmaster.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';

/** The database to seed. `stop` stops what had to be started for it. */
export type SeedDatabase = { url: string; stop(): Promise<void> };

/** DATABASE_URL; else the embedded PostgreSQL of a server that is running on DATA_DIR; else that PostgreSQL, started for now. */
export async function openSeedDatabase(env: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<SeedDatabase> {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => {} };
  const { folder } = locate(env.dataDir, chooseOwner(filesOf(join(env.dataDir, 'postgres')).cluster));
  const running = runningPostmaster(filesOf(folder).cluster);
  if (running) return { url: addressOf(folder, running.port, 'fairlead'), stop: async () => {} };
  const postgres = await startPostgres({ dataDir: env.dataDir });
  return { url: await postgres.database('fairlead'), stop: () => postgres.stop() };
}
