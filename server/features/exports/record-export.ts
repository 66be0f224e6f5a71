import { createHash } from 'node:crypto';
import { RULES_AS_OF } from '#calling/rules/rule.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { exportLeadsEndpoint } from '#contract/work/exports.ts';
import type { Lead } from '#contract/work/leads.ts';
import { untilDone } from '#db/cancel/while-asked.ts';
import { inTransaction } from '#db/connection/tx.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { phoneSubject } from '#server/evidence/phone-subject.ts';
import type { Ctx } from '#server/http/context.ts';

type Begun = {
  exportId: string;
  list: { id: string; name: string; sandbox: boolean | null };
  choice: BodyOf<typeof exportLeadsEndpoint>;
  columns: readonly string[];
};

/** Writes an export into the evidence while it goes on. Each step is committed before what it is about leaves. */
export type ExportRecord = {
  /** Leads that leave next. */
  leads(leads: readonly Lead[]): Promise<void>;
  /** Counts text of the file, and returns it. */
  sent(text: string): string;
  /** The first end counts. `complete`: false where the connection broke. */
  end(how: { complete: boolean }): Promise<void>;
};

/** Writes down that an export begins. */
export async function recordExport(
  { deps: { db, vault }, user }: Ctx,
  { exportId, list, choice, columns }: Begun,
): Promise<ExportRecord> {
  const evidence = await evidenceVault(db, vault);
  const append = (entry: EvidenceEntry) => inTransaction(db, (tx) => appendEvidence(tx, evidence, [entry]));
  const about = { actor: user.userId, list: list.id };
  const file = createHash('sha256');
  let leads = 0;
  let hasEnded = false;
  await append({
    ...about,
    kind: 'export.begun',
    facts: {
      export: exportId,
      filter: choice.filter,
      compliance: choice.compliance,
      selected: (choice.lead_ids ?? choice.matching ?? choice.except) !== undefined,
      columns,
      rulesAsOf: RULES_AS_OF,
      sandbox: list.sandbox ?? false,
    },
    // Its own words, which may name someone.
    parts: [{ subjects: [], content: { list: list.name } }],
  });
  return {
    async leads(some) {
      if (some.length === 0) return;
      const parts = some.flatMap(({ phone }) => {
        const subject = phoneSubject(phone);
        return subject ? [{ subjects: [subject], content: { phone: subject.slice('phone:'.length) } }] : [];
      });
      const facts = { export: exportId, leads: some.length, withPhone: parts.length };
      await append({ ...about, kind: 'export.leads', facts, parts });
      leads += some.length;
    },
    sent(text) {
      file.update(text);
      return text;
    },
    async end({ complete }) {
      if (hasEnded) return;
      hasEnded = true;
      const facts = { export: exportId, complete, leads, csvSha256: file.digest('hex') };
      await untilDone(() => append({ ...about, kind: 'export.ended', facts }));
    },
  };
}
