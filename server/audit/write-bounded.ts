import { sql } from 'kysely';
import type { AuditAction } from '#contract/admin/audit.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { type AuditEntry, type AuditSource, writeAudit } from './write-audit.ts';

const HOUR_MS = 3_600_000;
/** Different lines of a kind that are written down in an hour. More than that is someone trying, and one line says so. */
const MOST_PER_HOUR = 500;

/** `bucket`: what counts together. `overflow`: the line that stands for all that are not written. */
export type BoundedKind = { bucket: string; overflow: AuditAction };

/**
 * Writes what strangers can cause: once an hour for each `key`, and a bounded number of a kind, so that they cannot fill the log.
 * `key` may hold personal data.
 */
export async function writeBounded(
  db: Db,
  vault: Vault,
  source: AuditSource,
  { bucket, overflow }: BoundedKind,
  key: string,
  entry: AuditEntry,
): Promise<void> {
  if ((await hitsOf(db, `${bucket}:${vault.fingerprint(key)}`)) > 1) return;
  const inAll = await hitsOf(db, bucket);
  if (inAll <= MOST_PER_HOUR) await writeAudit(db, source, entry);
  else if (inAll === MOST_PER_HOUR + 1)
    await writeAudit(db, source, {
      action: overflow,
      target: 'everybody',
      details: { recorded_this_hour: MOST_PER_HOUR },
    });
}

async function hitsOf(db: Db, bucket: string): Promise<number> {
  const { rows } = await sql<{ hits: number }>`select hits from app.count_hit(${bucket}, ${HOUR_MS})`.execute(db);
  return rows[0]?.hits ?? 0;
}
