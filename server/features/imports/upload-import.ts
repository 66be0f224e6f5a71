import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  type ImportFile,
  MOST_IMPORT_COLUMNS,
  MOST_IMPORT_ROWS,
  MOST_WAITING_FILES,
} from '#contract/imports/imports.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lookEvery } from '#server/lib/look-every.ts';
import { type Guess, guessColumns } from './guess/guess-columns.ts';
import { inParts } from './open/in-parts.ts';
import { openUpload, type Upload } from './open/open-upload.ts';
import { stoodStill } from './open/until-silent.ts';
import { UnreadableFile } from './read/row.ts';
import { rememberedMapping } from './remembered-mapping.ts';
import { countRows } from './stage/count-rows.ts';
import { holdErasure } from './stage/hold-erasure.ts';
import { type ImportRecord, type Mapping, mappedColumns } from './stage/import-row.ts';
import { showFile } from './stage/show-file.ts';
import { shownColumns } from './stage/shown-columns.ts';
import { ROWS_AT_ONCE, stageRows } from './stage/stage-rows.ts';
import { tidy } from './values/tidy.ts';

/** Rows by which columns are guessed. */
const HEAD_ROWS = 500;
/**
 * How often an upload says that it is not one of a dead process, in ms: bytes may come slowly, and a spreadsheet is read once it is whole.
 * One that has not said so for long is.
 */
const BEAT_MS = 2_500;
const DEAD_SECONDS = 15;
const isDead = sql<boolean>`touched_at < now() - ${DEAD_SECONDS} * interval '1 second'`;

/**
 * Reads a file as it comes, stores its rows, and says how they will be read. Nothing of it becomes a lead.
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, and UnreadableFile for what cannot be read
 * @throws CONFLICT while too many files wait, and once it was given up, and RATE_LIMITED while another is on its way.
 */
export async function uploadImport(ctx: Ctx, upload: Upload & { name: string }): Promise<ImportFile> {
  const { db, log } = ctx.deps;
  const id = await beginImport(db, ctx.user.userId, upload.name.trim() || 'file');
  const trouble = 'an upload could not be told from one of a dead process';
  const touching = lookEvery(BEAT_MS, () => touch(db, id), { log, trouble });
  try {
    const record = await readUpload(db, { id, userId: ctx.user.userId }, upload);
    return await showFile(db, record);
  } catch (error) {
    await db.deleteFrom('app.imports').where('id', '=', id).execute();
    throw error;
  } finally {
    await touching.stop();
  }
}

/** Says that someone still reads it. Returns whether it is still there. */
async function touch(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`update app.imports set touched_at = now() where id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

async function beginImport(db: Db, userId: string, name: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${userId}`}, 0))`.execute(tx);
    // What a dead process was reading stands in no one's way.
    await sql`
      delete from app.imports where user_id = ${userId} and state = 'reading' and ${isDead}
    `.execute(tx);
    const open = await tx
      .selectFrom('app.imports')
      .select('state')
      .where('user_id', '=', userId)
      .where('state', 'in', ['reading', 'ready'])
      .execute();
    if (open.some(({ state }) => state === 'reading'))
      throw new AppError('RATE_LIMITED', 'Another file of yours is being read. Try again when that is done.', {
        retryAfterSeconds: DEAD_SECONDS,
      });
    if (open.length >= MOST_WAITING_FILES)
      throw new AppError('CONFLICT', `${MOST_WAITING_FILES} files of yours wait. Import or discard one of them first.`);
    const { id } = await tx
      .insertInto('app.imports')
      .values({ user_id: userId, name: name.slice(0, 250) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

type Begun = { id: string; userId: string };

async function readUpload(db: Db, begun: Begun, upload: Upload): Promise<ImportRecord> {
  const hash = createHash('sha256');
  const file = await openUpload(upload, (chunk) => void hash.update(chunk));
  const parts = inParts(file.batches, ROWS_AT_ONCE);
  let guess: Guess | undefined;
  let mapping: Mapping = {};
  let remembered = false;
  let rows = 0;
  // A part is stored while the next one is read.
  let stored = Promise.resolve(0);
  for await (const part of parts) {
    if (!guess) {
      guess = guessColumns(part.slice(0, HEAD_ROWS));
      if (guess.width > MOST_IMPORT_COLUMNS)
        throw new UnreadableFile(
          `The file has ${guess.width} columns, and at most ${MOST_IMPORT_COLUMNS} can be read. Remove the ones that are not needed.`,
        );
      const known = await rememberedMapping(db, begun.userId, guess);
      remembered = known !== undefined;
      mapping = known ?? Object.fromEntries(guess.columns.map((column) => [column.header, column.guess]));
    }
    const { firstRow, columns } = guess;
    const filled = part.filter(({ row, cells }) => row >= firstRow && cells.some((cell) => tidy(cell) !== ''));
    rows += filled.length;
    if (rows > MOST_IMPORT_ROWS)
      throw new UnreadableFile(
        `The file has more than ${MOST_IMPORT_ROWS.toLocaleString('en-US')} rows. Import it in parts.`,
      );
    if (!(await touch(db, begun.id))) throw stoodStill();
    const errorsBefore = await stored;
    stored = stageRows(db, begun.id, filled, mappedColumns(columns, mapping)).then((more) => errorsBefore + more);
    // Its failure is heard where it is waited for.
    stored.catch(() => {});
  }
  const errors = await stored;
  if (!guess || rows === 0) throw new UnreadableFile('The file has no rows.');
  const { hasHeader, firstRow, columns } = guess;
  const counts = await guardedTransaction(db, (tx) => countRows(tx, { id: begun.id, user_id: begun.userId }));
  return guardedTransaction(db, async (tx) => {
    await holdErasure.execute(tx);
    const shown = await shownColumns(tx, begun.id, { columns, mapping }, firstRow + HEAD_ROWS);
    return tx
      .updateTable('app.imports')
      .set({
        state: 'ready',
        sha256: hash.digest('hex'),
        encoding: file.encoding,
        delimiter: file.delimiter,
        other_sheets: sql`app.without_erased(${JSON.stringify(file.otherSheets)}::jsonb)`,
        has_header: hasHeader,
        columns: JSON.stringify(shown.columns),
        mapping: JSON.stringify(shown.mapping),
        keyed_by: JSON.stringify(shown.mapping),
        remembered,
        rows,
        errors,
        ...counts,
      })
      .where('id', '=', begun.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
