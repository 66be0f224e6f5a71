import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { appendEvidence } from './append-evidence.ts';
import { RULES_IN_FORCE } from './rules-in-force.ts';

type Override = { actor: string; rule: string; before: string | null; after: string | null; reason: string };

/** Records what an administrator decided about the calling rules, and why. */
export const recordOverride = (tx: Tx, vault: Vault, { actor, reason, ...change }: Override): Promise<void> =>
  appendEvidence(tx, vault, [
    {
      kind: 'rules.overridden',
      actor,
      facts: { ...change, ...RULES_IN_FORCE, citation: null },
      parts: [{ subjects: [], content: { reason } }],
    },
  ]);
