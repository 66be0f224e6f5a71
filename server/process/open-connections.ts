import type { Logger } from 'pino';
import { connect } from '#db/client.ts';
import { listen, NOBODY_LISTENS } from '#db/notifications.ts';
import { startQueue } from '#jobs/queue.ts';
import type { Database } from './open-database.ts';
import type { Shutdown } from './shutdown.ts';

const SIGN_IN_CONNECTIONS = 4;

export type Connections = Awaited<ReturnType<typeof openConnections>>;

/**
 * Connects to the prepared database as what this process is there: a pool for requests and runs, one for sign-in, what hears
 * `channels` of NOTIFY, and the queue. Each is stopped by `shutdown`.
 */
export async function openConnections(
  database: Database,
  as: 'web' | 'worker',
  { channels, shutdown, log }: { channels: readonly string[]; shutdown: Shutdown; log: Logger },
) {
  const { url, listening } = await database.addressesFor(as);
  if (!listening)
    log.warn(
      'DATABASE_URL shares its connections, so that nothing can listen and this process polls: set DATABASE_DIRECT_URL',
    );
  const onError = (error: unknown) => log.warn({ err: error }, 'lost a database connection');
  const { db, pool } = connect(url, { onError });
  shutdown.add(() => db.destroy());
  // Connections of their own: a flood of sign-in attempts waits for these, and nobody else does.
  const signIn = connect(url, { onError, max: SIGN_IN_CONNECTIONS });
  shutdown.add(() => signIn.db.destroy());
  const notifications = listening ? await listen(listening, channels, onError) : NOBODY_LISTENS;
  shutdown.add(() => notifications.stop());
  const queue = await startQueue(listening ?? url, { onError, listens: listening !== undefined });
  shutdown.add(() => queue.stop());
  return { db, pool, signIn, notifications, queue };
}
