import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { type EvidenceEntry, MOST_PARTS, type SealedPart } from './evidence-entry.ts';
import { placeOfPart } from './evidence-vault.ts';

/**
 * Appends entries to the chain, in this order, in the transaction of the fact itself: neither is there without the other.
 * - `vault`: what `evidenceVault` returns. It is asked for before the transaction, whose own reads must not wait for it.
 * - Positions are given as the transaction commits, so nothing waits for the chain before that.
 */
export async function appendEvidence(tx: Tx, vault: Vault, entries: readonly EvidenceEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const sent = entries.map(({ kind, actor, list = null, facts, parts = [] }) => {
    if (parts.length > MOST_PARTS) throw new Error(`An entry has at most ${MOST_PARTS} parts.`);
    return { kind, actor, list, facts: JSON.stringify(facts), parts: parts.map((part) => sealPart(vault, part)) };
  });
  await sql`select app.append_evidence(${JSON.stringify(sent)}::jsonb)`.execute(tx);
}

/** The salt comes first, so that no one can find the content of an erased part by trying every number. */
function sealPart(vault: Vault, { subjects, content }: SealedPart) {
  const text = JSON.stringify({ salt: randomBytes(16).toString('base64url'), ...content });
  const hash = createHash('sha256').update(text).digest('hex');
  return {
    hash,
    sealed: vault.seal(text, placeOfPart(hash)),
    subjects: subjects.map((subject) => vault.fingerprint(subject)),
  };
}
