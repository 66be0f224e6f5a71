import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Vault } from '#db/vault.ts';
import { type AuditSource, writeAudit } from './write-audit.ts';

/** Somebody whom the gate did not let in. `at`: what they were about to do. `email` is normalised. */
export type Refusal = { email: string; reason: string; at: 'precheck' | 'link' | 'sign_in' | 'refresh' };

const HOUR_MS = 3_600_000;
/** Different refusals that are written down in an hour. More than that is somebody trying addresses, and one line says so. */
const MOST_PER_HOUR = 500;

/**
 * Writes that an address was refused: once an hour for each address and reason, and a bounded number in all, so that strangers can
 * not fill the log.
 */
export async function recordRefusal(
  db: Db,
  vault: Vault,
  source: AuditSource,
  { email, reason, at }: Refusal,
): Promise<void> {
  if ((await hitsOf(db, `audit.refused:${vault.fingerprint(`${reason}:${email}`)}`)) > 1) return;
  const inAll = await hitsOf(db, 'audit.refused');
  if (inAll <= MOST_PER_HOUR)
    await writeAudit(db, source, { action: 'access.refused', target: email, details: { reason, at } });
  else if (inAll === MOST_PER_HOUR + 1)
    await writeAudit(db, source, {
      action: 'access.refusals_unrecorded',
      target: 'everybody',
      details: { recorded_this_hour: MOST_PER_HOUR },
    });
}

async function hitsOf(db: Db, bucket: string): Promise<number> {
  const { rows } = await sql<{ hits: number }>`select hits from app.count_hit(${bucket}, ${HOUR_MS})`.execute(db);
  return rows[0]?.hits ?? 0;
}
