import { sql } from 'kysely';
import { throughOutage } from '#server/through-outage.ts';
import type { ServerProcess } from '#test/server-process.ts';
import type { Site } from './site.ts';

/** Servers of a site that are killed and started again. */
export type Fleet = {
  /** Starts servers until there are so many that are ready, or ends one too many. */
  resize(count: number): Promise<void>;
  /** kill -9 for one of them, or for all at the same time; others take their place. */
  kill(whom: number | 'all'): Promise<void>;
  /** How often one was started. */
  readonly starts: number;
};

export function createFleet(site: Site): Fleet {
  let servers: ServerProcess[] = [];
  let starts = 0;
  const start = async () => {
    starts += 1;
    const server = site.server();
    await server.ready();
    return server;
  };
  return {
    get starts() {
      return starts;
    },
    async resize(count) {
      while (servers.length > count) await servers.pop()?.stop();
      servers.push(...(await Promise.all(Array.from({ length: count - servers.length }, start))));
    },
    async kill(whom) {
      const victims = servers.filter((_, index) => whom === 'all' || index === whom);
      await Promise.all(victims.map((server) => server.stop('SIGKILL')));
      servers = servers.filter((server) => !victims.includes(server));
      // With nobody left to hold one, to let the leases run out now is the same as to wait for it.
      if (servers.length === 0)
        await throughOutage(() =>
          sql`update app.runs set lease_expires_at = now() where state = 'running'`.execute(site.db),
        );
      servers.push(...(await Promise.all(victims.map(start))));
    },
  };
}
