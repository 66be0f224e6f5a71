import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { heedCallers } from '#db/cancel/while-asked.ts';
import type { DB } from '#db/types.gen.ts';
import type { Db } from './db.ts';
import { goBehind } from './go-behind.ts';
import { allowGuarded } from './guarded-connections.ts';
import { keepStatements } from './kept-statements.ts';

export type { Db } from './db.ts';
/** `db` queries through `pool`; `db.destroy()` ends both. */
export type Connection = { db: Db; pool: pg.Pool };

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, toSafeInteger);

/**
 * Opens a pool of at most `max` connections (default 10). bigint columns arrive as numbers.
 * - `keepsStatements`: its sessions are its own, so they keep what is marked as `KEPT`.
 * - `isSerial`: PostgreSQL divides no statement among several processes, and compiles none. Only for sessions of one's own.
 * - `isBehind`: its statements go behind everything else where PostgreSQL runs on this machine and this process may say so.
 * - A connection that breaks fails the query on it and is replaced. `onError` hears of breaks while nothing was asked.
 */
export function connect(
  connectionString: string,
  options: {
    max?: number;
    keepsStatements?: boolean;
    isSerial?: boolean;
    isBehind?: boolean;
    onError?: (error: Error) => void;
  } = {},
): Connection {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'fairlead',
  });
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client; // the whole connection, which has no place in a log
    options.onError?.(error);
  });
  // pg reports the loss of a connection that is in use here too, and an 'error' no one listens to ends the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    // A connection that refuses this refuses what comes behind it too.
    if (options.isSerial) client.query('set max_parallel_workers_per_gather = 0; set jit = off').catch(() => {});
    if (options.isBehind) void goBehind(client);
    if (options.keepsStatements) keepStatements(client);
    heedCallers(client);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  allowGuarded(db, pool);
  return { db, pool };
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} does not fit a number.`);
  return value;
}
