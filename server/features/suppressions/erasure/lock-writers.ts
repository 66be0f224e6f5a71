import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { awaitingEvidence } from '#server/evidence/erase-evidence.ts';
import { AppError } from '#server/lib/app-error.ts';

/** Someone else has a lock, or waits for one of ours. */
const LOCKED = ['55P03', '40P01'];
/** Shorter than PostgreSQL waits before it looks for a deadlock: no one else's work is ended for this. */
const PATIENCE_MS = 250;
const TRIES = 40;

/**
 * Runs a transaction in which no one else writes leads, calls, answers or evidence about contacts: who was writing has finished, and who comes later sees all of it.
 * - Settling takes leads before calls, and some others take calls before leads. So it lets go and tries again rather than wait.
 * @throws CONFLICT when others are always at work.
 */
export async function withWritersLocked<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`lock table public.leads in share row exclusive mode`.execute(tx);
        await sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(tx);
        await sql`lock table app.paid_calls, app.recalls, app.answers in share row exclusive mode`.execute(tx);
        await awaitingEvidence.execute(tx);
        await sql`set local lock_timeout to default`.execute(tx);
        return work(tx);
      });
    } catch (error) {
      if (!isLocked(error)) throw error;
      await sleep(PATIENCE_MS * Math.random());
    }
  }
  throw new AppError('CONFLICT', 'Too much work is under way to erase anything now. Try again in a minute.');
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && LOCKED.includes(String(error.code));
