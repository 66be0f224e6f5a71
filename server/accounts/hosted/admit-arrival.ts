import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { AccessDecision } from '#server/access/decision.ts';
import type { Gate } from '#server/access/gate.ts';

/** Supabase may hold the account while it asks us: then the profile is written with the person's first request. */
const PATIENCE = '1s';
const LOCK_NOT_AVAILABLE = '55P03';
const NO_SUCH_ACCOUNT = '23503';

/**
 * Writes the profile of someone whom hosted Supabase signs in, after the gate's `decision`. Returns the gate's last word, or undefined
 * when the account cannot be referred to yet.
 */
export async function admitArrival(
  { db, gate }: { db: Db; gate: Gate },
  user: { id: string; email: string },
  decision: AccessDecision,
): Promise<Awaited<ReturnType<Gate['admit']>> | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${PATIENCE}, true)`.execute(tx);
      return gate.admit(tx, user, decision);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === LOCK_NOT_AVAILABLE || code === NO_SUCH_ACCOUNT) return undefined;
    throw error;
  }
}
