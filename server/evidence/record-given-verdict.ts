import type { Callability } from '#contract/calling/callability.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { appendEvidence } from './append-evidence.ts';
import { erasingLate } from './erase-evidence.ts';
import { RULES_IN_FORCE } from './rules-in-force.ts';

/** `number` as E.164, `at` in ms since 1970. `list` and `lead` are null for a number that was asked about by itself. */
type Given = {
  actor: string;
  number: string;
  list: string | null;
  lead: string | null;
  sandbox: boolean;
  at: number;
  callability: Callability;
};

/** Records a verdict on a call as the person who asked saw it. An erased number is not written down again. */
export async function recordGivenVerdict(tx: Tx, vault: Vault, given: Given): Promise<void> {
  const { actor, number, list, lead, sandbox, at, callability } = given;
  const { verdict, window, zones, reasons } = callability;
  const subjects = [`phone:${number}`];
  await appendEvidence(tx, vault, [
    {
      kind: 'verdict.given',
      actor,
      list,
      facts: {
        verdict,
        at: new Date(at).toISOString(),
        opensAt: window.opensAt ?? null,
        zones,
        reasons: reasons.map(({ code, citation = null }) => ({ code, citation })),
        ...RULES_IN_FORCE,
        lead,
        sandbox,
      },
      parts: [{ subjects, content: { phone: number } }],
    },
  ]);
  await erasingLate(vault, subjects).execute(tx);
}
