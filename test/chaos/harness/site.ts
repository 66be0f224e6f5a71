import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect, type Db } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { installQueue } from '#jobs/install-queue.ts';
import type { Meter } from '#sandbox/meter.ts';
import type { SandboxOptions } from '#sandbox/start-sandbox.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { ENCRYPTION_KEY, type Process, startProduct, type TestUser } from '#test/product.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';
import { FULL } from './chance.ts';

const ACCELERATE = new URL('accelerate.ts', import.meta.url).href;

/**
 * What survives the kills, and what can be killed: PostgreSQL with its usual settings, and servers. The providers are stood in for in
 * this process, so that their meter tells the truth whatever happens to the others.
 */
export type Site = {
  db: Db;
  meter: Meter;
  /** Serves requests in this process, and works on no run. */
  office: Process;
  /** A second one. */
  branch: Process;
  /** Someone with keys of their own. */
  person(): Promise<Person>;
  /** A server that also works on runs, with the limits of keys out of the way. */
  server(): ServerProcess;
  /** SIGKILL for the postmaster. Resolves when PostgreSQL is back. */
  killPostgres(): Promise<void>;
  stop(): Promise<void>;
};

/** `meterKey`: what the meter calls their keys. */
export type Person = TestUser & { meterKey: string };

/** Starts it all, with providers that chance disturbs. */
export async function startSite(chance: SandboxOptions['chance']): Promise<Site> {
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({ dataDir, settings: { max_connections: '200' } });
  const url = await postgres.database('fairlead');
  await migrate(url, { hosted: false });
  await installQueue(url);
  const product = await startProduct({ worker: false, chance });
  const [office, branch] = [
    await product.process({ worker: false, url }),
    await product.process({ worker: false, url }),
  ];
  const { db } = connect(url);
  const servers: ServerProcess[] = [];
  let people = 0;
  return {
    db,
    office,
    branch,
    meter: product.sandbox.meter,
    async person() {
      people += 1;
      const name = String(people).padStart(4, '0');
      const user = await office.user(`chaos-${name}`);
      // Not sandbox keys: those would reach a sandbox inside of a server, whose meter dies with it.
      await user.connect('google_places', `google-chaos-${name}`);
      await user.connect('hunter_io', `hunter-chaos-${name}`);
      await user.connect('searchbug', `12345678:searchbug-chaos-${name}`);
      return { ...user, meterKey: `…${name}` };
    },
    server() {
      const server = startServer({
        NODE_OPTIONS: `--import=${ACCELERATE}`,
        ...(FULL ? {} : { CHAOS_SHORT_LEASES: 'on' }),
        DATA_DIR: dataDir,
        DATABASE_URL: url,
        ENCRYPTION_KEYS: ENCRYPTION_KEY,
        GOOGLE_PLACES_URL: `${product.sandbox.url}/google`,
        HUNTER_URL: `${product.sandbox.url}/hunter`,
        SEARCHBUG_URL: `${product.sandbox.url}/searchbug`,
      });
      servers.push(server);
      return server;
    },
    async killPostgres() {
      const { pid } = postgres;
      process.kill(pid, 'SIGKILL');
      const lost = postgres.lost.then(() => Promise.reject(new Error('PostgreSQL did not come back.')));
      // A session that it left behind may still answer.
      while (postgres.pid === pid) await Promise.race([sleep(20), lost]);
      await throughOutage(() => sql`select`.execute(db));
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
      await Promise.all([office.stop(), branch.stop(), db.destroy()]);
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
