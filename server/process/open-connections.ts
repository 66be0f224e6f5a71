import type { Logger } from 'pino';
import { type Connection, connect } from '#db/connection/client.ts';
import { listen, NOBODY_LISTENS } from '#db/notifications.ts';
import { startQueue } from '#jobs/queue.ts';
import type { Database } from './open-database.ts';
import type { Shutdown } from './shutdown.ts';

/**
 * Connections of each part of a process, so that a flood of one part waits for its own and for no others.
 * - `requests`: the product API, health and the process itself; in a worker, runs.
 * - `data`: the data API and Storage, where one person has two at a time.
 * - `slow`: reads of the data API of people whose last ones were heavy. They go behind everything else.
 * - `work`: runs in a process that serves as well (ROLE=all).
 */
const SHARES = { requests: 8, signIn: 4, data: 6, slow: 2, realtime: 4, work: 8 };
const WORKER_SHARES = { ...SHARES, requests: 10 };

export type Connections = Awaited<ReturnType<typeof openConnections>>;

/** The pools by the name that metrics give them. */
export const poolsOf = ({ requests, signIn, data, slow, realtime, work }: Connections) => ({
  requests: requests.pool,
  sign_in: signIn.pool,
  data: data.pool,
  slow: slow.pool,
  realtime: realtime.pool,
  ...(work === requests ? {} : { work: work.pool }),
});

/**
 * Connects to the prepared database as what this process is there. `shutdown` stops each connection.
 * - A pool for each of its parts, which connects when it is asked.
 * - What hears `channels` of NOTIFY, and the queue.
 */
export async function openConnections(
  database: Database,
  as: 'web' | 'worker',
  { channels, shutdown, log }: { channels: readonly string[]; shutdown: Shutdown; log: Logger },
) {
  const { url, listening } = await database.addressesFor(as);
  if (!listening)
    log.warn('DATABASE_URL goes through a pooler, so this process polls instead of listening: set DATABASE_DIRECT_URL');
  const onError = (error: unknown) => log.warn({ err: error }, 'lost a database connection');
  const shares = as === 'worker' ? WORKER_SHARES : SHARES;
  /** Where a session is one's own, it can keep statements, and keep to one processor. */
  const isOwn = listening === url;
  const open = (max: number, { isSerial = false, isBehind = false } = {}): Connection => {
    const connection = connect(url, { onError, max, keepsStatements: isOwn, isSerial: isSerial && isOwn, isBehind });
    shutdown.add(() => connection.db.destroy());
    return connection;
  };
  const requests = open(shares.requests);
  const signIn = open(shares.signIn);
  // Anyone can ask there for what PostgreSQL would divide among all processors.
  const data = open(shares.data, { isSerial: true });
  const slow = open(shares.slow, { isSerial: true, isBehind: true });
  const realtime = open(shares.realtime);
  const work = as === 'worker' ? requests : open(shares.work);
  const notifications = listening ? await listen(listening, channels, onError) : NOBODY_LISTENS;
  shutdown.add(() => notifications.stop());
  const queue = await startQueue(listening ?? url, { onError, listens: listening !== undefined });
  shutdown.add(() => queue.stop());
  /** Where a session is one's own; undefined behind a pooler that shares them. */
  const sessionUrl = listening;
  /** For long work, whose statements keep to one processor as well. */
  const long = { databaseUrl: url, isSerial: isOwn };
  return { sessionUrl, long, requests, signIn, data, slow, realtime, work, notifications, queue };
}
