// A process of its own: appends to the evidence until it is killed. `node append-forever.ts DATABASE_URL ENCRYPTION_KEY`. It prints the
// actor of each transaction, which no other has, once that is committed.
import { randomUUID } from 'node:crypto';
import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';

/** Transactions at a time. */
const AT_ONCE = 4;

const [, , url = '', key = ''] = process.argv;
const { db } = connect(url, { max: AT_ONCE });
const vault = await evidenceVault(db, createVault([key]));

async function append(): Promise<void> {
  for (;;) {
    const actor = randomUUID();
    const entry: EvidenceEntry = {
      kind: 'suppression.added',
      actor,
      facts: { kind: 'phone', source: 'hand' },
      parts: [{ subjects: [`phone:${actor}`], content: { suppressed: actor } }],
    };
    await db.transaction().execute((tx) => appendEvidence(tx, vault, [entry, entry, entry]));
    process.stdout.write(`${actor}\n`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, append));
