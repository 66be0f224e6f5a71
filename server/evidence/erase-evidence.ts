import { type RawBuilder, sql } from 'kysely';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';

/**
 * Destroys every sealed part that is about one of these contacts. Returns how many. The database tells of it in the chain.
 * - `subjects`: suppression keys, such as "phone:+12175550100".
 * - A provider's reply names other numbers as well: it goes as a whole, and their verdicts stay.
 */
export async function eraseEvidence(
  tx: Tx,
  vault: Vault,
  { actor, subjects }: { actor: string | null; subjects: readonly string[] },
): Promise<number> {
  const keys = subjects.map((subject) => Buffer.from(vault.fingerprint(subject), 'hex'));
  const { rows } = await sql<{ parts: number }>`
    select app.erase_evidence_for(${actor}::uuid, ${keys}::bytea[]) as parts`.execute(tx);
  return rows[0]?.parts ?? 0;
}

const ERASURES = sql`hashtextextended('erasures of evidence', 0)`;
/** Waits for an erasure under way, and holds others back until the transaction ends. For contacts that are read and then appended. */
export const keepingErasuresWaiting = sql`select pg_advisory_xact_lock_shared(${ERASURES})`;
/** Waits until no one appends contacts that they read before the erasure. */
export const awaitingEvidence = sql`select pg_advisory_xact_lock(${ERASURES})`;

/** Returns a statement that follows evidence of these contacts. It erases those that were erased while that evidence was on its way. */
export function erasingLate(vault: Vault, subjects: readonly string[]): RawBuilder<unknown> {
  const keys = subjects.map((subject) => Buffer.from(vault.fingerprint(subject), 'hex'));
  return sql`${KEPT} select app.erase_late_evidence(${subjects}::text[], ${keys}::bytea[])`;
}
