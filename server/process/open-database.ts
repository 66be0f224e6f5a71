import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '#db/embedded/start-postgres.ts';

const PATIENCE_MS = 30_000;

/** PostgreSQL, ours or one elsewhere. */
export type Database = {
  url: string;
  /** For people: where it is. Holds no password. */
  where: string;
  /** Resolves when the embedded PostgreSQL is gone for good. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

/** Starts the embedded PostgreSQL, or waits up to 30 s until the one at `databaseUrl` answers. Throws with a text for the user. */
export async function openDatabase(options: { dataDir: string; databaseUrl: string | undefined }): Promise<Database> {
  if (options.databaseUrl) return elsewhere(options.databaseUrl);
  const postgres = await startPostgres({ dataDir: options.dataDir });
  return {
    url: await postgres.database('fairlead'),
    where: `PostgreSQL ${postgres.how}, data in ${postgres.folder}`,
    lost: postgres.lost,
    stop: () => postgres.stop(),
  };
}

async function elsewhere(url: string): Promise<Database> {
  const { host, pathname } = new URL(url);
  const where = `PostgreSQL at ${host}${pathname}`;
  const reason = await firstAnswer(url);
  if (reason) throw new Error(`DATABASE_URL does not lead to a usable database (${where}): ${reason}`);
  return { url, where, lost: new Promise(() => {}), stop: async () => {} };
}

/** Undefined once it answers; a reason when it refuses us, or when it did not answer in time. */
async function firstAnswer(connectionString: string): Promise<string | undefined> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return undefined;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      // A five-character code is PostgreSQL's own refusal; 57P03 is "starting up", worth waiting for.
      const refused = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && code !== '57P03';
      if (refused || Date.now() > until) return message || code || 'no answer';
    }
  }
}
