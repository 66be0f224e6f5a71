import { stat } from 'node:fs/promises';
import type pg from 'pg';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { type OpenFile, UnreadableFile } from '#server/open-data/read/chunk.ts';
import { openFile } from '#server/open-data/read/open-file.ts';
import { areaOfOrder } from './area-of-order.ts';
import { isInvented } from './invented.ts';
import { type Differences, merge } from './merge.ts';
import type { Order } from './order.ts';
import { stageFile } from './stage.ts';

/** Only one import or removal at a time: the advisory lock of the session that does it. */
export const IMPORT_LOCK = 7_003;
const FAILED = 'The import failed, and nothing of it was taken over. The log says why.';
const GOES_ON = `${FAILED} Start it again with the same files: it continues where it stopped.`;
const BEGINS_AGAIN = `${FAILED} Look at the files, then start it again.`;
const LONGEST_RELEASE = 60;
export const LOCKED = 'Open data is being loaded or removed. Try again when that has ended.';

export type Loaded = Differences & { importId: number; resumed: boolean; staged: number; unusable: number };
export type Progress = { importId: number; file: number; files: number; rows: number; places: number };
type Asked = { order: Order; startedBy?: string | undefined; progress?: (now: Progress) => void };

/**
 * Loads the places of files, or goes on where the same order was interrupted. `client`: a session of its own.
 * @throws UnreadableFile, with a text for who asked; or Error, whose cause is technical. Both are noted with the import.
 */
export async function loadPlaces(client: pg.Client, asked: Asked): Promise<Loaded> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [IMPORT_LOCK]);
  if (!rows[0]?.mine) throw new UnreadableFile(LOCKED);
  try {
    return await load(client, asked);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [IMPORT_LOCK]);
  }
}

async function load(client: pg.Client, { order, startedBy, progress }: Asked): Promise<Loaded> {
  const area = areaOfOrder(order);
  const files = await Promise.all(order.files.map(async (path) => ({ path, file: await openFile(path, order) })));
  const { source, release } = oneSource(files, order);
  const begun = await begin(client, { order, source, release, startedBy });
  let moved = false;
  try {
    for (const [number, { file }] of files.entries()) {
      if (number < begun.fileNumber) continue;
      const after = number === begun.fileNumber ? begun.rowsDone : 0;
      await stageFile(client, { importId: begun.id, number, file, after, area }, (rowsRead, places) => {
        moved = true;
        progress?.({ importId: begun.id, file: number + 1, files: files.length, rows: rowsRead, places });
      });
    }
    const sandbox = await isInvented(client);
    const differences = await merge(client, {
      importId: begun.id,
      source,
      release,
      sandbox,
      order,
    });
    const { rows } = await client.query<{ staged: number; unusable: number }>(
      'select rows_staged::integer as staged, unusable from app.open_imports where id = $1',
      [begun.id],
    );
    return {
      ...differences,
      importId: begun.id,
      resumed: begun.resumed,
      staged: rows[0]?.staged ?? 0,
      unusable: rows[0]?.unusable ?? 0,
    };
  } catch (error) {
    // It goes on where it is when it is started again.
    if (isDatabaseGone(error)) throw error;
    if (error instanceof UnreadableFile) {
      await noteFailure(client, begun.id, { message: error.message, goesOn: false });
      throw error;
    }
    // What failed may pass, such as a full disk. What fails again at the same place begins again from its first row.
    const goesOn = moved || !begun.resumed;
    const message = goesOn ? GOES_ON : BEGINS_AGAIN;
    await noteFailure(client, begun.id, { message, goesOn });
    throw new Error(message, { cause: error });
  }
}

/** @throws UnreadableFile where the files are of several sources or releases. */
function oneSource(
  files: readonly { path: string; file: OpenFile }[],
  order: Order,
): { source: string; release: string } {
  const [first] = files;
  if (!first) throw new UnreadableFile('Name at least one file.');
  const other = files.find(({ file }) => file.source !== first.file.source);
  if (other)
    throw new UnreadableFile(`${first.path} and ${other.path} come from different sources. Load one source at a time.`);
  const releases = [...new Set(files.flatMap(({ file }) => file.release ?? []))].sort();
  const release = order.release ?? releases.at(-1);
  if (!release) throw new UnreadableFile('Enter the date of the files, such as 2026-09-23.');
  if (release.length > LONGEST_RELEASE)
    throw new UnreadableFile(`Name the release in at most ${LONGEST_RELEASE} characters.`);
  return { source: first.file.source, release };
}

type Begun = { id: number; fileNumber: number; rowsDone: number; resumed: boolean };

/** Starts an import, or takes up the one that stopped, if it was the same order of the same files and nothing of it is lost. */
async function begin(
  client: pg.Client,
  {
    order,
    source,
    release,
    startedBy,
  }: { order: Order; source: string; release: string; startedBy: string | undefined },
): Promise<Begun> {
  const files = await Promise.all(
    order.files.map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return { path, size, changed: Math.round(mtimeMs) };
    }),
  );
  const { files: _paths, ...options } = order;
  const values = [source, release, JSON.stringify(files), JSON.stringify(options)];
  const { rows: same } = await client.query<{ id: number; file_number: number; rows_done: string }>(
    `update app.open_imports as import set state = 'running', message = null, finished_at = null, moved_at = now()
     where id = (select max(id) from app.open_imports) and (state = 'running' or (state = 'failed' and rows_staged > 0))
       and source = $1 and release = $2 and files = $3 and options = $4
       and rows_staged = (select count(*) from app.open_staged)
     returning id, file_number, rows_done`,
    values,
  );
  const [row] = same;
  if (row) return { id: row.id, fileNumber: row.file_number, rowsDone: Number(row.rows_done), resumed: true };
  await client.query(
    `update app.open_imports set state = 'failed', finished_at = now(), message = 'Stopped, and another import was begun.'
     where state = 'running'`,
  );
  await client.query('delete from app.open_staged');
  const { rows } = await client.query<{ id: number }>(
    `insert into app.open_imports (source, release, files, options, started_by) values ($1, $2, $3, $4, $5) returning id`,
    [...values, startedBy ?? null],
  );
  return { id: rows[0]?.id ?? 0, fileNumber: 0, rowsDone: 0, resumed: false };
}

/** `goesOn`: whether what is staged stays for the next try. */
async function noteFailure(
  client: pg.Client,
  importId: number,
  { message, goesOn }: { message: string; goesOn: boolean },
): Promise<void> {
  if (!goesOn) await client.query('delete from app.open_staged');
  await client.query(
    `update app.open_imports set state = 'failed', finished_at = now(), message = left($2, 1000) where id = $1`,
    [importId, message],
  );
}
