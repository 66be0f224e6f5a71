import { setImmediate as othersTurn } from 'node:timers/promises';
import type { z } from 'zod/mini';
import {
  type importSuppressionsEndpoint,
  MOST_IGNORED,
  MOST_IMPORT_ERRORS,
  MOST_IMPORTED,
} from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { chunks } from '#server/lib/chunks.ts';
import { addEntries, type NewEntry } from './add-entries.ts';
import { tellHeldLeads } from './held-leads.ts';
import { countPastExports } from './past-exports.ts';
import { readEntry } from './read-entry.ts';
import { type FileEntry, readFile } from './read-file.ts';

/** Lines that are read before others have their turn. */
const READ_AT_ONCE = 500;

type Wrong = DataOf<typeof importSuppressionsEndpoint>['errors'][number];

/** Suppresses everything that a file names. Lines that cannot be read are named; the others are stored. */
export async function importSuppressions(
  ctx: Ctx,
  { csv }: z.output<typeof importSuppressionsEndpoint.body>,
): Promise<DataOf<typeof importSuppressionsEndpoint>> {
  // One line is the header.
  const file = readFile(csv, MOST_IMPORTED + 1);
  if (!file)
    throw new AppError(
      'VALIDATION_FAILED',
      `The file has more than ${MOST_IMPORTED.toLocaleString('en-US')} lines. Send it in parts.`,
    );
  const entries: NewEntry[] = [];
  const errors: Wrong[] = [];
  const read = (line: FileEntry): void => {
    const entry = line.kind ? readEntry(line.kind, line.value) : undefined;
    if (line.kind && entry?.state === 'read') entries.push({ kind: line.kind, value: entry.value, note: line.note });
    else errors.push(wrongLine(line, entry?.state === 'wrong' ? entry.why : 'Say what it is in a column named kind.'));
  };
  for (const some of chunks(file.entries, READ_AT_ONCE)) {
    some.forEach(read);
    await othersTurn();
  }
  const { db } = ctx.deps;
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const keys = await db.transaction().execute(async (tx) => {
    const added = await addEntries(tx, evidence, entries, { source: 'file', addedBy: ctx.user.userId });
    if (added.length > 0)
      await writeAudit(tx, ctx, { action: 'suppression.imported', target: 'file', details: { added: added.length } });
    return added;
  });
  const [exports] = await Promise.all([countPastExports(db, keys), tellHeldLeads(db, keys)]);
  return {
    added: keys.length,
    known: entries.length - keys.length,
    wrong: errors.length,
    exports,
    errors: errors.slice(0, MOST_IMPORT_ERRORS),
    ignored: file.ignored.slice(0, MOST_IGNORED).map((header) => header.slice(0, 100)),
  };
}

const wrongLine = ({ line, value }: FileEntry, why: string): Wrong => ({ line, text: value.slice(0, 100), why });
