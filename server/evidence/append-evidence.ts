import { hash as hashOf } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { fewRandomBytes } from '#db/sealed/random.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { type EvidenceEntry, MOST_PARTS, type SealedPart } from './evidence-entry.ts';
import { placeOfPart } from './evidence-vault.ts';
import { aboutOf } from './part-subjects.ts';

/**
 * Appends entries to the chain, in this order, in the transaction of the fact itself: neither exists without the other.
 * - `vault`: what `evidenceVault` returns. It is opened before the transaction, whose own reads must not wait for it.
 * - Entries get their positions as the transaction commits, so nothing waits for the chain before that.
 */
export async function appendEvidence(tx: Tx, vault: Vault, entries: readonly EvidenceEntry[]): Promise<void> {
  if (entries.length > 0) await sql`select app.append_evidence(${sealed(vault, entries)}::jsonb)`.execute(tx);
}

/**
 * The same as a statement, to be sent with others, for entries that are about paid calls.
 * - `meant`: a query of the ids of calls, as `id`. Entries that are about none of them are left out.
 */
export function appendingEvidence(
  vault: Vault,
  entries: readonly { entry: EvidenceEntry; calls: readonly string[] }[],
  meant: RawBuilder<{ id: string }>,
): RawBuilder<unknown> {
  const calls = JSON.stringify(entries.map((one) => one.calls));
  return sql`
    ${KEPT} select app.append_evidence(jsonb_agg(given.entry order by given.place))
    from rows from (
      jsonb_array_elements(${sealed(
        vault,
        entries.map(({ entry }) => entry),
      )}::jsonb), jsonb_array_elements(${calls}::jsonb)
    ) with ordinality as given (entry, calls, place)
    where given.calls ?| array(select id::text from (${meant}) as call)
    having count(*) > 0`;
}

function sealed(vault: Vault, entries: readonly EvidenceEntry[]): string {
  const sent = entries.map(({ kind, actor, list = null, facts, parts = [] }) => {
    if (parts.length > MOST_PARTS) throw new Error(`An entry has at most ${MOST_PARTS} parts.`);
    return { kind, actor, list, facts: JSON.stringify(facts), parts: parts.map((part) => sealPart(vault, part)) };
  });
  return JSON.stringify(sent);
}

/**
 * Seals a part.
 * - The salt comes first, so that no one can find the content of an erased part by trying every number.
 * - `about` puts its subjects under the proof. It goes with the part.
 */
export function sealPart(
  vault: Vault,
  { subjects, content }: SealedPart,
): {
  hash: string;
  sealed: string;
  subjects: string[];
} {
  const named = subjects.map((subject) => vault.fingerprint(subject));
  const text = JSON.stringify({ salt: fewRandomBytes(16).toString('base64url'), about: aboutOf(named), ...content });
  const hash = hashOf('sha256', text, 'hex');
  return { hash, sealed: vault.seal(text, placeOfPart(hash)), subjects: named };
}
