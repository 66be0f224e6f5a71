import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { chunks } from '#server/lib/chunks.ts';
import { appendEvidence } from './append-evidence.ts';
import { MOST_PARTS, type SealedPart } from './evidence-entry.ts';

type Added = { actor: string | null; source: Suppression['source']; note?: string | undefined };

/** Records added suppressions: one by itself, several as entries of many parts. `keys`: as in app.suppressions. */
export async function recordSuppressions(
  tx: Tx,
  vault: Vault,
  keys: readonly string[],
  { actor, source, note }: Added,
): Promise<void> {
  const [first, second] = keys;
  if (first === undefined) return;
  if (second === undefined) {
    const facts = { kind: kindOf(first), source };
    await appendEvidence(tx, vault, [
      {
        kind: 'suppression.added',
        actor,
        facts,
        parts: partsOf(first, { suppressed: first }, note ? { note } : undefined),
      },
    ]);
    return;
  }
  let stored = Promise.resolve();
  for (const some of chunks(keys, MOST_PARTS)) {
    const before = stored;
    stored = appendEvidence(tx, vault, [
      {
        kind: 'suppression.imported',
        actor,
        facts: { added: some.length, source },
        parts: some.map((key) => ({ subjects: [key], content: { suppressed: key } })),
      },
    ]);
    stored.catch(() => {}); // it is told in the next turn, or below
    // The next ones are sealed while these are stored.
    await Promise.all([before, othersTurn()]);
  }
  await stored;
}

/** Records that a suppression was removed, and why. */
export async function recordSuppressionRemoved(
  tx: Tx,
  vault: Vault,
  { actor, id, key, reason }: { actor: string; id: string; key: string; reason: string },
): Promise<void> {
  await appendEvidence(tx, vault, [
    {
      kind: 'suppression.removed',
      actor,
      facts: { kind: kindOf(key), suppression: id },
      parts: partsOf(key, { removed: key }, { reason }),
    },
  ]);
}

/** Words are a part of their own: they go where they mention someone else who is erased. */
const partsOf = (key: string, ...contents: (SealedPart['content'] | undefined)[]): SealedPart[] =>
  contents.flatMap((content) => (content ? [{ subjects: [key], content }] : []));

const kindOf = (key: string): SuppressionKind => key.slice(0, key.indexOf(':')) as SuppressionKind;
