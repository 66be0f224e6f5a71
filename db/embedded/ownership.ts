import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

// In the database `postgres`: anyone who holds this advisory lock owns the running postmaster.
const OWNER_LOCK = 7_000;

/**
 * Connects, waiting while PostgreSQL is starting up or shutting down. Returns undefined once `gone()` says that nothing will
 * answer any more, or at the deadline (ms since the epoch).
 */
export async function connectPatiently(
  connectionString: string,
  deadline: number,
  gone: () => boolean,
): Promise<pg.Client | undefined> {
  while (Date.now() < deadline) {
    const client = new pg.Client({ connectionString, keepAlive: true });
    client.on('error', () => {}); // 'end' follows, and is what the supervisor listens to
    try {
      await client.connect();
      return client;
    } catch (error) {
      // 57P03: starting up, shutting down, or in recovery. A connection cut while it is made carries no code.
      const code = (error as { code?: string }).code;
      if (code && !['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'].includes(code)) throw error;
      if (gone()) return undefined;
      await sleep(15);
    }
  }
  return undefined;
}

/**
 * Becomes the owner of the postmaster for as long as the session lasts. An owner that was just killed has `patienceMs` to vanish.
 * PostgreSQL ends the session at any death of ours, kill -9 included, so that no file can go stale.
 */
export async function takeOwnership(session: pg.Client, patienceMs: number): Promise<boolean> {
  for (const until = Date.now() + patienceMs; ; ) {
    const { rows } = await session.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [OWNER_LOCK]);
    if (rows[0]?.mine) return true;
    if (Date.now() > until) return false;
    await sleep(50);
  }
}
