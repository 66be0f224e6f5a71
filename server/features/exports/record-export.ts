import { createHash } from 'node:crypto';
import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import type { CallTimes } from '#contract/work/exports/exports.ts';
import { untilDone } from '#db/cancel/while-asked.ts';
import { inTransaction, type Tx } from '#db/connection/tx.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import { type EvidenceEntry, MOST_PARTS, type SealedPart } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { phoneSubject } from '#server/evidence/phone-subject.ts';
import { RULES_IN_FORCE } from '#server/evidence/rules-in-force.ts';
import type { Ctx } from '#server/http/context.ts';
import { chunks } from '#server/lib/chunks.ts';
import type { Export } from './exported-leads.ts';

type Begun = {
  exportId: string;
  list: { id: string; name: string; sandbox: boolean | null };
  choice: Export['body'];
  /** Names of the file's columns. `theirs`: those from people's own files. */
  columns: { ours: readonly string[]; theirs: readonly string[] };
};

/** `beside`: numbers in columns of people's own files, as E.164. */
type Leaving = { id: string; phone: string; beside: readonly string[] };
type Calls = ReadonlyMap<string, CallTimes> | undefined;

/** Records an export as evidence while it goes on. Each step is committed before the data that it is about leaves. */
export type ExportRecord = {
  /**
   * Records leads that leave once the transaction is committed.
   * - `calls`: what the file says about calls to them, if anything, by their ids.
   */
  leads(tx: Tx, leads: readonly Leaving[], calls: Calls): Promise<void>;
  /** Counts committed text of the file and the leads in it. Returns the text. */
  sent(text: string, leads?: number): string;
  /** Records the end. Only the first call counts. `complete`: false when the connection broke. */
  end(how: { complete: boolean }): Promise<void>;
};

/** Column names of people's own files that one part holds. Each has at most 100 characters. */
const NAMES_IN_PART = 1_000;

/** Records that an export begins. */
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
      rights: choice.rights,
      callWithin: choice.call_within ?? null,
      callTimes: choice.call_times ?? false,
      selected: (choice.lead_ids ?? choice.matching ?? choice.except) !== undefined,
      columns: columns.ours,
      ...RULES_IN_FORCE,
      sandbox: list.sandbox ?? false,
    },
    // Words of people, which may name someone, and have any length.
    parts: [
      { subjects: [], content: { list: list.name } },
      ...[...chunks(columns.theirs, NAMES_IN_PART)].map((names) => ({ subjects: [], content: { columns: names } })),
    ],
  });
  return {
    async leads(tx, some, calls) {
      const entries: EvidenceEntry[] = [];
      for (let from = 0; from < some.length; from += MOST_PARTS) {
        const leaving = some.slice(from, from + MOST_PARTS);
        const parts = leaving.flatMap((lead) => partOf(lead, calls));
        const said = calls && leaving.flatMap(({ id }) => calls.get(id)?.status ?? []);
        const facts = {
          export: exportId,
          leads: leaving.length,
          withPhone: parts.length,
          calls: said ? countsOf(said) : null,
        };
        entries.push({ ...about, kind: 'export.leads', facts, parts });
      }
      for (const parts of chunks(some.flatMap(partsBeside), MOST_PARTS))
        entries.push({
          ...about,
          kind: 'export.leads',
          facts: { export: exportId, leads: 0, withPhone: 0, calls: null },
          parts,
        });
      await appendEvidence(tx, evidence, entries);
    },
    sent(text, some = 0) {
      leads += some;
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

function partOf({ id, phone }: Leaving, calls: Calls): SealedPart[] {
  const subject = phoneSubject(phone);
  const call = calls?.get(id);
  const content = { phone: subject?.slice('phone:'.length), ...(call && { call: { ...call } }) };
  return subject ? [{ subjects: [subject], content }] : [];
}

const partsBeside = ({ phone, beside }: Leaving): SealedPart[] =>
  [...new Set(beside.map((number) => `phone:${number}`))]
    .filter((subject) => subject !== phoneSubject(phone))
    .map((subject) => ({ subjects: [subject], content: { phone: subject.slice('phone:'.length) } }));

const countsOf = (said: readonly CallVerdict[]): Partial<Record<CallVerdict, number>> =>
  Object.fromEntries([...Map.groupBy(said, (verdict) => verdict)].map(([verdict, same]) => [verdict, same.length]));
