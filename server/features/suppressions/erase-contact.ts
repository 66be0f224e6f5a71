import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import { eraseEvidence } from '#server/evidence/erase-evidence.ts';
import { eraseMentioning } from '#server/evidence/erase-mentioning.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { recountList } from '#server/leads/recount-list.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockList } from '#server/runs/rows.ts';
import { type Answered, eraseAnswers, eraseCalls, findAnswers } from './erasure/erase-answers.ts';
import { eraseEntries } from './erasure/erase-entries.ts';
import { eraseFiles } from './erasure/erase-files.ts';
import { eraseImports } from './erasure/erase-imports.ts';
import { type ErasedLeads, eraseLeads, findMentions, type Mentions } from './erasure/erase-leads.ts';
import { eraseMentions } from './erasure/erase-mentions.ts';
import { eraseOwners, findNames, findOwned } from './erasure/erase-owners.ts';
import { erasePlaces } from './erasure/erase-places.ts';
import { type ErasedSubject, patternOf } from './erasure/erased-subject.ts';
import { withWritersLocked } from './erasure/lock-writers.ts';
import { noteErasure } from './notices/note-erasure.ts';
import { readEntry } from './read-entry.ts';

/**
 * Erases a contact for good, and leaves a keyed hash of it, which holds it back and out.
 * - The hash comes first. What is written from then on leaves the contact out, and each step below finds what was written before.
 * - All leads and answers are read before, while others write: no one waits for that.
 * - Leads and all that must not be written meanwhile are one step. Each other step commits by itself, so that no one waits for all of them.
 * - What a failure leaves, the same request erases.
 * @throws VALIDATION_FAILED for what is none of its kind
 */
export async function eraseContact(
  ctx: Ctx,
  { kind, value }: z.output<typeof eraseContactEndpoint.body>,
): Promise<DataOf<typeof eraseContactEndpoint>> {
  const { db } = ctx.deps;
  const entry = readEntry(kind, value);
  if (entry.state === 'wrong') throw new AppError('VALIDATION_FAILED', entry.why);
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const { subject, known } = await keepHash(db, ctx, { kind, value: entry.value });
  await guardedTransaction(db, (tx) => eraseImports(tx, subject));
  // Before the answers go that say it.
  const names = await findNames(db, subject);
  const found = await look(db, subject, names);
  const first = await withWritersLocked(db, async (tx) => {
    const erased = await eraseFound(tx, ctx, { subject, found, names });
    await noteErasure(tx, ctx.deps.vault, subject);
    await eraseEntries(tx, subject);
    await eraseCalls(tx, subject);
    await eraseEvidence(tx, evidence, { actor: ctx.user.userId, subjects: [subject.key] });
    // Also where no sealed part was about the contact: from now on it is held back.
    const facts = { kind: subject.kind, hash: subject.hash };
    await appendEvidence(tx, evidence, [{ kind: 'contact.erased', actor: ctx.user.userId, facts }]);
    return erased;
  });
  // What was being written during the look is stored by now, and who writes from now on knows the hash.
  const missed = await look(db, subject, names);
  const late = Object.values(missed).some((some) => some.length > 0)
    ? await withWritersLocked(db, (tx) => eraseFound(tx, ctx, { subject, found: missed, names }))
    : undefined;
  // Afterwards, one by one: work that holds a list may have waited for the leads. Open pages read a list again that has changed.
  for (const listId of new Set([...first.listIds, ...(late?.listIds ?? [])])) await recount(db, listId);
  // Exports that were being sent meanwhile.
  const exports = await db.transaction().execute((tx) => noteErasure(tx, ctx.deps.vault, subject));
  await eraseMentions(db, subject);
  await eraseMentioning(db, evidence, { actor: ctx.user.userId, pattern: patternOf(subject) });
  await erasePlaces(db, subject);
  return { leads: first.leads + (late?.leads ?? 0), files: first.files + (late?.files ?? 0), exports, known };
}

/** `owned`: leads that have the subject as their owner, by id. */
type Found = Mentions & Answered & { owned: string[] };
type Names = Awaited<ReturnType<typeof findNames>>;

const look = async (db: Db, subject: ErasedSubject, names: Names): Promise<Found> => ({
  owned: await findOwned(db, names),
  ...(await findMentions(db, subject)),
  ...(await findAnswers(db, subject)),
});

type Meant = { subject: ErasedSubject; found: Found; names: Names };

/** Erases leads and answers, has kept exports of their lists removed, and says so in the log. */
async function eraseFound(
  tx: Tx,
  ctx: Ctx,
  { subject, found, names }: Meant,
): Promise<ErasedLeads & { files: number }> {
  const leads = await eraseLeads(tx, subject, found);
  const ofOwners = await eraseOwners(tx, found.owned, names);
  const erased = { ...leads, listIds: [...new Set([...leads.listIds, ...ofOwners])] };
  await eraseAnswers(tx, subject, found);
  const files = await eraseFiles(tx, subject, erased.listIds);
  await writeAudit(tx, ctx, {
    action: 'contact.erased',
    target: subject.hash.slice(0, 16),
    details: { kind: subject.kind, leads: erased.leads, files },
  });
  return { ...erased, files };
}

type Given = { kind: ErasedSubject['kind']; value: string };

async function keepHash(db: Db, ctx: Ctx, { kind, value }: Given): Promise<{ subject: ErasedSubject; known: boolean }> {
  const { rows } = await sql<{ key: string; hash: string; is_new: boolean }>`
    with one as (select app.suppression_key(${kind}, ${value}) as key),
    hashed as (select key, (app.contact_hashes(array[key]))[1] as hash from one where key is not null),
    kept as (
      insert into app.erased_contacts (hash, kind, erased_by) select hash, ${kind}, ${ctx.user.userId}::uuid from hashed
      on conflict (hash) do nothing returning hash
    )
    select key, encode(hash, 'hex') as hash, exists (select from kept) as is_new from hashed
  `.execute(db);
  const [row] = rows;
  if (!row) throw new AppError('VALIDATION_FAILED', 'This cannot be erased. Check how it is written.');
  const subject = { kind, key: row.key, value: row.key.slice(kind.length + 1), hash: row.hash };
  return { subject, known: !row.is_new };
}

async function recount(db: Db, listId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await lockList(tx, listId)) await recountList(tx, listId);
  });
}
