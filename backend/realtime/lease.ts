import type { RealtimeOptions } from './options.ts';

const EVERY_MS = 20_000;
const LASTS = '60 seconds';

/** Has changes told while this process lives, of the tables that its people have subscribed to. */
export type Lease = {
  /** Resolves when whatever is changed from now on is told. */
  watch(tables: readonly string[]): Promise<void>;
  /** Says again what is watched, as after a break. */
  renew(): Promise<void>;
  stop(): Promise<void>;
};

/** `wanted` returns the tables that have subscribers now; those that have none any more are let go at the next renewal. */
export function createLease(
  { pool, log }: Pick<RealtimeOptions, 'pool' | 'log'>,
  processId: string,
  wanted: () => Iterable<string>,
): Lease {
  let told = new Set<string>();
  const tell = async (tables: Set<string>) => {
    await pool.query(
      `insert into realtime.processes (id, tables, alive_until) values ($1, $2, clock_timestamp() + $3::interval)
       on conflict (id) do update set tables = excluded.tables, alive_until = excluded.alive_until`,
      [processId, [...tables], LASTS],
    );
    told = tables;
  };
  const forget = async () => {
    await pool.query('delete from realtime.processes where id = $1 or alive_until < clock_timestamp()', [processId]);
    told = new Set();
  };
  const renew = async () => {
    const tables = new Set(wanted());
    if (tables.size > 0) await tell(tables);
    else if (told.size > 0) await forget();
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, 'subscriptions not renewed'));
  }, EVERY_MS);
  return {
    renew,
    async watch(tables) {
      if (tables.some((table) => !told.has(table))) await tell(new Set([...told, ...wanted(), ...tables]));
    },
    async stop() {
      clearInterval(timer);
      if (told.size > 0) await forget();
    },
  };
}
