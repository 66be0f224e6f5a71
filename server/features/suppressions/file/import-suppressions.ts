import { setImmediate as othersTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { z } from 'zod/mini';
import {
  type importSuppressionsEndpoint,
  MOST_IGNORED,
  MOST_IMPORT_ERRORS,
  MOST_IMPORTED,
} from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { inParts } from '#server/features/imports/open/in-parts.ts';
import { openUpload, type Upload } from '#server/features/imports/open/open-upload.ts';
import { refuseUnreadable } from '#server/features/imports/open/refuse-unreadable.ts';
import { openText } from '#server/features/imports/read/read-text.ts';
import type { OpenFile, RawRow } from '#server/features/imports/read/row.ts';
import { addEntries, type NewEntry } from '#server/features/suppressions/add-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { pastExportsHolding } from '#server/features/suppressions/past-exports.ts';
import { readEntry } from '#server/features/suppressions/read-entry.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { chunks } from '#server/lib/chunks.ts';
import { cut } from '#server/lib/cut.ts';
import { whenDoubled } from '#server/lib/when-doubled.ts';
import { type FileEntry, type FileReader, openReader } from './read-file.ts';

/** Rows that are read before others have their turn, and bytes. */
const READ_AT_ONCE = 500;
const BYTES_AT_ONCE = 64 * 1024;

type Imported = DataOf<typeof importSuppressionsEndpoint>;
type Wrong = Imported['errors'][number];
type LineEntry = NewEntry & { line: number };

/**
 * Suppresses everything that a CSV text names. Cells that cannot be read are named; the others are stored.
 * @throws VALIDATION_FAILED for what is no table, or has too many lines
 */
export async function importSuppressions(
  ctx: Ctx,
  { csv }: z.output<typeof importSuppressionsEndpoint.body>,
): Promise<Imported> {
  const file = await openText(bytesOf(csv)).catch(refuseUnreadable);
  const rows: RawRow[] = [];
  for await (const batch of file.batches) {
    for (const row of batch) if (isFilled(row)) rows.push(row);
    // One line is the header.
    if (rows.length > MOST_IMPORTED + 1)
      throw new AppError(
        'VALIDATION_FAILED',
        `The file has more than ${MOST_IMPORTED.toLocaleString('en-US')} lines. Send it in parts.`,
      );
  }
  return addParts(ctx, file, [rows]);
}

/**
 * The same of a file of any length, stored part by part: what was stored stays where a later part fails.
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and UnreadableFile.
 */
export async function importSuppressionFile(ctx: Ctx, upload: Upload): Promise<Imported> {
  const file = await openUpload(upload);
  return addParts(ctx, file, inParts(file.batches, MOST_IMPORTED));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) yield bytes.subarray(at, at + BYTES_AT_ONCE);
}

const isFilled = ({ cells }: RawRow): boolean => cells.some((cell) => cell.trim() !== '');

async function addParts(
  ctx: Ctx,
  { otherSheets }: Pick<OpenFile, 'otherSheets'>,
  parts: AsyncIterable<RawRow[]> | Iterable<RawRow[]>,
): Promise<Imported> {
  const { db } = ctx.deps;
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const exports = new Set<string>();
  const sum = { added: 0, known: 0, wrong: 0 };
  const errors: Wrong[] = [];
  const analyze = whenDoubled(async () => void (await sql`select app.analyze_suppressions()`.execute(db)));
  let reader: FileReader | undefined;
  for await (const part of parts) {
    const rows = part.filter(isFilled);
    if (rows.length === 0) continue;
    // The first rows say what the columns of all parts hold.
    reader ??= openReader(rows);
    const { entries, wrong } = await readRows(reader, rows);
    const { keys, unread } = await store(ctx, evidence, entries);
    wrong.push(...unread.flatMap((at) => wrongOf(entries[at])));
    const [holding] = await Promise.all([pastExportsHolding(db, keys), tellHeldLeads(db, keys)]);
    for (const id of holding) exports.add(id);
    await analyze(keys.length);
    sum.added += keys.length;
    sum.known += entries.length - unread.length - keys.length;
    sum.wrong += wrong.length;
    errors.push(...wrong.slice(0, MOST_IMPORT_ERRORS - errors.length));
  }
  const ignored = reader?.ignored().slice(0, MOST_IGNORED) ?? [];
  return { ...sum, exports: exports.size, errors, ignored: ignored.map((header) => cut(header, 100)), otherSheets };
}

async function readRows(
  reader: FileReader,
  rows: readonly RawRow[],
): Promise<{ entries: LineEntry[]; wrong: Wrong[] }> {
  const [entries, wrong]: [LineEntry[], Wrong[]] = [[], []];
  const add = (found: FileEntry): void => {
    const { line, kind, value, note } = found;
    const entry = kind ? readEntry(kind, value) : undefined;
    if (kind && entry?.state === 'read') entries.push({ line, kind, value: entry.value, note });
    else wrong.push({ line, text: cut(value, 100), why: entry?.state === 'wrong' ? entry.why : reader.noKind });
  };
  for (const some of chunks(rows, READ_AT_ONCE)) {
    for (const row of some) reader.read(row).forEach(add);
    await othersTurn();
  }
  return { entries, wrong };
}

const wrongOf = (entry: LineEntry | undefined): Wrong[] =>
  entry
    ? [{ line: entry.line, text: cut(entry.value, 100), why: 'This cannot be read. Check how it is written.' }]
    : [];

const store = (ctx: Ctx, evidence: Vault, entries: readonly NewEntry[]): ReturnType<typeof addEntries> =>
  ctx.deps.db.transaction().execute(async (tx) => {
    const added = await addEntries(tx, evidence, entries, { source: 'file', addedBy: ctx.user.userId });
    if (added.keys.length > 0)
      await writeAudit(tx, ctx, {
        action: 'suppression.imported',
        target: 'file',
        details: { added: added.keys.length },
      });
    return added;
  });
