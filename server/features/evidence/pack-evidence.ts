import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MOST_PACK_ENTRIES, type PackQuestion, packFileName } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import { CSV_HEAD, csvRowOf, lineOf, type ProofEntry } from '#server/evidence/verifier/verify.mjs';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { AppError } from '#server/lib/app-error.ts';
import { readNames } from './pack-names.ts';
import { proofOf } from './pack-proof.ts';
import { README } from './pack-readme.ts';
import { type PackScope, readScope } from './pack-scope.ts';
import { summaryOf } from './pack-summary.ts';
import { readNumberState, readState } from './read-state.ts';
import { type ZipFile, zipOf } from './zip.ts';

const VERIFIER = fileURLToPath(import.meta.resolve('#server/evidence/verifier/verify.mjs'));

/**
 * Returns entries of the chain with their proof, as a ZIP that is made while it is sent.
 * @throws VALIDATION_FAILED when the pack would be too large.
 * @throws what `readScope` throws.
 */
export const packEvidence = (ctx: Ctx, question: PackQuestion): Download => ({
  fileName: packFileName(new Date()),
  type: 'application/zip',
  parts: partsOf(ctx, question),
});

async function* partsOf(ctx: Ctx, question: PackQuestion): AsyncGenerator<Uint8Array> {
  const { db } = ctx.deps;
  const vault = await evidenceVault(db, ctx.deps.vault);
  const scope = await readScope(db, vault, ctx.user, question);
  const state = await readState(db, scope);
  if (state.entries > MOST_PACK_ENTRIES)
    throw new AppError(
      'VALIDATION_FAILED',
      `The pack would hold ${state.entries.toLocaleString('en-US')} entries. Choose a shorter period.`,
    );
  const { phone, ...asked } = question;
  // The log keeps no numbers.
  const details = { ...asked, ...(phone === undefined ? {} : { phone: true }), entries: state.entries };
  await writeAudit(db, ctx, { action: 'evidence.packed', target: 'evidence', details });
  const madeAt = new Date().toISOString();
  const number = scope.number ? await readNumberState(db, scope.number, question.to) : undefined;
  const names = await readNames(db, question);
  const hashes: Record<string, string> = {};
  const csv = createHash('sha256').update(CSV_HEAD);
  const about = { entries: state.entries, question, madeAt, files: hashes };
  async function* files(): AsyncGenerator<ZipFile> {
    const bodies: readonly [string, AsyncIterable<string>][] = [
      ['README.txt', one(README)],
      ['entries.json', jsonOf(db, vault, scope, (entry) => csv.update(csvRowOf(entry)))],
      ['entries.csv', csvOf(db, vault, scope)],
      ['summary.html', summaryOf({ db, vault, scope, state, number, question, names, madeAt })],
      ['verify.mjs', one(await readFile(VERIFIER, 'utf8'))],
    ];
    for (const [name, parts] of bodies) yield { name, parts: hashing(parts, (hash) => (hashes[name] = hash)) };
    // The verifier would refuse such a pack, so it is not finished.
    if (hashes['entries.csv'] !== csv.digest('hex'))
      throw new AppError('CONFLICT', 'Personal data was erased while this pack was made. Ask for it again.');
    yield { name: 'proof.json', parts: proofOf(db, scope, about) };
  }
  yield* zipOf(files());
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

async function* hashing(parts: AsyncIterable<string>, onEnd: (hash: string) => void): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  onEnd(hash.digest('hex'));
}

/** A JSON array with one entry a line, which the verifier reads line by line. */
async function* jsonOf(
  db: Db,
  vault: Vault,
  scope: PackScope,
  onEntry: (entry: ProofEntry) => void,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const entries of readEntries(db, vault, scope)) {
    entries.forEach(onEntry);
    yield before + entries.map((entry) => lineOf(entry)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[\n]\n' : '\n]\n';
}

async function* csvOf(db: Db, vault: Vault, scope: PackScope): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const entries of readEntries(db, vault, scope)) yield entries.map(csvRowOf).join('');
}
