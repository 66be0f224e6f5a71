import { sql } from 'kysely';
import { ExportCompanion, type exportCompanionEndpoint } from '#contract/calling/evidence.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { LICENSES_HEADER } from '#contract/work/exports/exports.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import type { ProofEntry } from '#server/evidence/verifier/verify.mjs';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';

/**
 * Returns what goes with the CSV file of one of the caller's exports, once that is complete.
 * @throws NOT_FOUND
 */
export async function readCompanion(
  { deps: { db, vault }, user }: Ctx,
  exportId: string,
): Promise<DataOf<typeof exportCompanionEndpoint>> {
  const condition = sql<boolean>`entry.kind like 'export.%' and entry.facts ->> 'export' = ${exportId}
    and entry.kind <> 'export.leads' and entry.actor_id = ${user.userId}`;
  const entries: ProofEntry[] = [];
  for await (const page of readEntries(db, await evidenceVault(db, vault), { condition, subject: undefined }))
    entries.push(...page);
  const begun = entries.find(({ kind }) => kind === 'export.begun');
  const ended = entries.find(
    ({ kind, facts }) => kind === 'export.ended' && isRecord(facts) && facts.complete === true,
  );
  if (!begun || !ended || !isRecord(begun.facts) || !isRecord(ended.facts))
    throw new AppError('NOT_FOUND', 'This export was not found, or has not ended.');
  const { filter, compliance, rights, callWithin, callTimes, selected, rulesAsOf, sandbox } = begun.facts;
  return ExportCompanion.parse({
    format: 'fairlead export companion 1',
    exportId,
    list: { id: begun.list, name: listName(begun) },
    begunAt: begun.at,
    endedAt: ended.at,
    choices: { filter, compliance, rights, callWithin, callTimes, selected },
    columns: columnsOf(begun),
    leads: ended.facts.leads,
    sandbox,
    rulesAsOf,
    csvSha256: ended.facts.csvSha256,
    evidence: { position: ended.position, hash: ended.hash, at: ended.at },
  });
}

/** The columns as the file has them, but for those of people's own files whose names were erased. */
function columnsOf({ facts, parts }: ProofEntry): string[] {
  const ours = isRecord(facts) ? namesOf(facts.columns) : [];
  const theirs = parts.flatMap((part) => namesOf(contentOf(part).columns));
  const end = ours.at(-1) === LICENSES_HEADER ? ours.length - 1 : ours.length;
  return ours.toSpliced(end, 0, ...theirs);
}

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The name that the list had then; empty once that was erased. */
function listName({ parts: [part] }: ProofEntry): string {
  const { list } = contentOf(part);
  return typeof list === 'string' ? list : '';
}

function contentOf(part: ProofEntry['parts'][number] | undefined): Record<string, unknown> {
  const content: unknown = part?.text ? JSON.parse(part.text) : undefined;
  return isRecord(content) ? content : {};
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
