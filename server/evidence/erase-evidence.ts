import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { appendEvidence } from './append-evidence.ts';

/**
 * Destroys every sealed part that is about one of these contacts, and says so in the chain. Returns how many parts.
 * - `subjects`: suppression keys, such as "phone:+12175550100".
 * - A provider's reply names other numbers as well: it goes as a whole, and their verdicts stay.
 */
export async function eraseEvidence(
  tx: Tx,
  vault: Vault,
  { actor, subjects }: { actor: string | null; subjects: readonly string[] },
): Promise<number> {
  const keys = subjects.map((subject) => Buffer.from(vault.fingerprint(subject), 'hex'));
  const { rows } = await sql<{ parts: number }>`select app.erase_evidence(${keys}::bytea[]) as parts`.execute(tx);
  const parts = rows[0]?.parts ?? 0;
  if (parts > 0) await appendEvidence(tx, vault, [{ kind: 'evidence.erased', actor, facts: { parts } }]);
  return parts;
}
