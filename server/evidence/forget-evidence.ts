import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

const AT_ONCE = 2_000;

/** Destroys sealed parts that are older than five years; the database lets no younger one be reached. Safe to repeat. */
export async function forgetEvidence(db: Db, signal: AbortSignal): Promise<void> {
  for (let gone = AT_ONCE; gone === AT_ONCE && !signal.aborted; ) {
    const { rows } = await sql<{ parts: number }>`select app.forget_evidence(${AT_ONCE}) as parts`.execute(db);
    gone = rows[0]?.parts ?? 0;
  }
}
