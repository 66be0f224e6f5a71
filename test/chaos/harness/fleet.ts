import { sql } from 'kysely';
import { throughOutage } from '#server/lib/through-outage.ts';
import type { ServerProcess } from '#test/servers/server-process.ts';
import type { Site } from './site.ts';

const LOST_ITS_DATABASE = /ECONNREFUSED|ECONNRESET|Connection terminated|terminating connection|the database system is/;

/** Servers of a site that are killed and started again. Who does not wait until they are ready kills them while they start, too. */
export type Fleet = {
  /**
   * Starts servers until there are so many, or ends one too many.
   * @throws when one of them ended although no one had killed it.
   */
  resize(count: number): Promise<void>;
  /** Resolves when all that were started are ready. */
  ready(): Promise<void>;
  /** kill -9 for one of them, or for all at the same time; others take their place. */
  kill(whom: number | 'all'): Promise<void>;
  /** How often one was started. */
  readonly starts: number;
};

export function createFleet(site: Site): Fleet {
  let servers: ServerProcess[] = [];
  let starts = 0;
  let broken: { error: unknown } | undefined;
  const start = () => {
    starts += 1;
    const server = site.server();
    servers.push(server);
    server.ready().catch((error: unknown) => {
      if (!servers.includes(server)) return;
      servers = servers.filter((one) => one !== server);
      // Whose database is killed while it starts ends with a word of it, and is started again by the process that keeps it.
      if (LOST_ITS_DATABASE.test(server.output)) start();
      else broken ??= { error };
    });
  };
  return {
    get starts() {
      return starts;
    },
    async resize(count) {
      if (broken) throw broken.error;
      while (servers.length > count) await servers.pop()?.stop();
      while (servers.length < count) start();
    },
    async ready() {
      await Promise.all(servers.map((server) => server.ready()));
    },
    async kill(whom) {
      const victims = servers.filter((_, index) => whom === 'all' || index === whom);
      servers = servers.filter((server) => !victims.includes(server));
      await Promise.all(victims.map((server) => server.stop('SIGKILL')));
      // With no one left to hold one, to let the leases run out now is the same as to wait for it.
      if (servers.length === 0)
        await throughOutage(() =>
          sql`update app.runs set lease_expires_at = now() where state = 'running'`.execute(site.db),
        );
      for (const _victim of victims) start();
    },
  };
}
