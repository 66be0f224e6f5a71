import type pg from 'pg';
import { type OpenPlace, toOpenPlace } from '#server/open-data/open-place.ts';
import type { OpenFile } from '#server/open-data/read/chunk.ts';
import type { LoadedArea } from './area-of-order.ts';

/** So that the rows of a later file count as later. */
const ROWS_OF_FILE = 1_000_000_000_000;
/** Places stored in one transaction, with how far the file is read: no more than this is read again after a kill. */
const PLACES_AT_ONCE = 10_000;
const PLACES_IN_ONE = 2_000;

type Staging = { importId: number; number: number; file: OpenFile; after: number; area: LoadedArea };

/** Reads a file behind row `after` into app.open_staged. */
export async function stageFile(
  client: pg.Client,
  { importId, number, file, after, area }: Staging,
  moved: (rowsRead: number, places: number) => void,
): Promise<void> {
  let places: OpenPlace[] = [];
  let [done, unusable, kept] = [after, 0, after];
  const store = async () => {
    const rows = places;
    places = [];
    await client.query('begin');
    try {
      if (rows.length > 0) await insert(client, rows, number * ROWS_OF_FILE + kept);
      await client.query(
        `update app.open_imports set file_number = $2, rows_done = $3, rows_read = rows_read + $3 - $4,
           rows_staged = rows_staged + $5, unusable = unusable + $6, moved_at = now() where id = $1`,
        [importId, number, done, kept, rows.length, unusable],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    [kept, unusable] = [done, 0];
    moved(done, rows.length);
  };
  for await (const chunk of file.read(after, area.frame)) {
    done = Math.max(done, chunk.done);
    unusable += chunk.unusable;
    for (const raw of chunk.places) {
      const place = toOpenPlace(raw);
      if (!place) unusable += 1;
      else if (area.holds(place.longitude, place.latitude)) places.push(place);
    }
    if (places.length >= PLACES_AT_ONCE || done - kept >= 10 * PLACES_AT_ONCE) await store();
  }
  await store();
  await client.query('update app.open_imports set file_number = $2, rows_done = 0 where id = $1', [
    importId,
    number + 1,
  ]);
}

/** By INSERT, because COPY refuses a login that is held to row-level security. */
async function insert(client: pg.Client, places: readonly OpenPlace[], first: number): Promise<void> {
  for (let at = 0; at < places.length; at += PLACES_IN_ONE) {
    const rows = places.slice(at, at + PLACES_IN_ONE).map((place, index) => rowOf(place, first + at + index));
    await client.query(
      `insert into app.open_staged (${COLUMNS})
       select ${COLUMNS} from json_to_recordset($1) as place (row_number bigint, source_id text, license text, name text,
         categories text[], phone text, website text, email text, address text, region text, latitude float8, longitude float8,
         confidence real, closed boolean, closed_on date, terms text[])`,
      [JSON.stringify(rows)],
    );
  }
}

const COLUMNS =
  'row_number, source_id, license, name, categories, phone, website, email, address, region, latitude, longitude, confidence, closed, closed_on, terms';

const rowOf = ({ sourceId, closedOn, ...place }: OpenPlace, row: number) => ({
  row_number: row,
  source_id: sourceId,
  closed_on: closedOn,
  ...place,
});
