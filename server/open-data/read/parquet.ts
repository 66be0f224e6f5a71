import { type Chunk, type Frame, type OpenFile, UnreadableFile } from './chunk.ts';
import { inFrame } from './in-frame.ts';
import { asObject, readFoursquare, readOverture, type Wire } from './wire.ts';

/** All that DuckDB may use besides what Node does. One thread: a row group is decoded for each. */
const MEMORY = '120MB';

/** Columns of Overture that are read. Schema v1 has `categories`, v2 has `taxonomy` and `basic_category`. */
const OVERTURE = [
  'id',
  'categories',
  'taxonomy',
  'basic_category',
  'confidence',
  'websites',
  'emails',
  'phones',
  'addresses',
  'operating_status',
];
const FOURSQUARE = [
  'fsq_place_id',
  'name',
  'latitude',
  'longitude',
  'address',
  'locality',
  'region',
  'postcode',
  'date_closed',
  'tel',
  'website',
  'email',
  'fsq_category_labels',
];

/**
 * Looks at a Parquet file.
 * @throws UnreadableFile for one of neither Overture nor Foursquare, and where DuckDB is not installed.
 */
export async function openParquet(path: string): Promise<OpenFile> {
  const names = new Set(
    (await textsOf(path, 'select column_name from (describe select * from read_parquet($1))')).flat(),
  );
  if (names.has('fsq_place_id')) return foursquare(path, names);
  if (names.has('names') && names.has('bbox')) return overture(path, names);
  throw new UnreadableFile(`${path} has the columns of neither Overture Places nor Foursquare OS Places.`);
}

async function overture(path: string, names: ReadonlySet<string>): Promise<OpenFile> {
  const columns = OVERTURE.filter((name) => names.has(name)).map((name) => `${name} := ${name}`);
  const json = `to_json(struct_pack(${[...columns, "names := {'primary': names.primary}", 'sources := sources'].join(', ')}))`;
  // A release is called by its day; the files themselves know only the days of their places.
  const [[latest = ''] = []] = await textsOf(
    path,
    `select max(list_max(list_transform(sources, one -> left(one.update_time, 10)))) from read_parquet($1)`,
  );
  return {
    source: 'overture',
    release: /\d{4}-\d\d-\d\d\.\d+/.exec(path)?.[0] ?? (latest || undefined),
    read: (after, frame) =>
      chunksOf(
        path,
        { after, frame, x: '(bbox.xmin + bbox.xmax) / 2', y: '(bbox.ymin + bbox.ymax) / 2', bbox: true, json },
        (wire, x, y) => readOverture(wire, y, x),
      ),
  };
}

async function foursquare(path: string, names: ReadonlySet<string>): Promise<OpenFile> {
  const columns = FOURSQUARE.filter((name) => names.has(name)).map((name) => `${name} := ${name}`);
  const [[latest = ''] = []] = await textsOf(path, 'select max(date_refreshed)::varchar from read_parquet($1)');
  return {
    source: 'foursquare',
    release: latest.slice(0, 10) || undefined,
    read: (after, frame) =>
      chunksOf(
        path,
        {
          after,
          frame,
          x: 'longitude',
          y: 'latitude',
          bbox: false,
          json: `to_json(struct_pack(${columns.join(', ')}))`,
        },
        readFoursquare,
      ),
  };
}

/** `bbox`: whether there is a column with the frame of each place, by whose statistics whole row groups are passed over. */
type Columns = { after: number; frame: Frame | undefined; x: string; y: string; bbox: boolean; json: string };

async function* chunksOf(
  path: string,
  { after, frame, x, y, bbox, json }: Columns,
  read: (wire: Wire, x: number, y: number) => ReturnType<typeof readFoursquare>,
): AsyncGenerator<Chunk> {
  const db = await openDuckDb();
  try {
    const rows = await db.stream(
      `select file_row_number, ${x} as x, ${y} as y, ${json}::varchar as json
       from read_parquet($1, file_row_number = true) where file_row_number >= $2 and ${withinOf(frame)}`,
      [path, BigInt(after)],
    );
    for (;;) {
      const part = await rows.fetchChunk();
      if (!part || part.rowCount === 0) return;
      const places = [];
      let done = after;
      let unusable = 0;
      for (const [row, longitude, latitude, text] of part.getRows()) {
        done = Number(row) + 1;
        if (typeof longitude !== 'number' || typeof latitude !== 'number') unusable += 1;
        else if (!frame || inFrame(frame, longitude, latitude))
          places.push(read(asObject(JSON.parse(String(text))), longitude, latitude));
      }
      yield { done, places, unusable };
    }
  } catch (error) {
    // Where only memory was lacking, the file is not to blame.
    throw reasonOf(error).startsWith('Out of Memory') ? error : damaged(path, error);
  } finally {
    db.closeSync();
  }

  function withinOf(within: Frame | undefined): string {
    if (!within || within.west > within.east) return 'true';
    const { west, south, east, north } = within;
    return bbox
      ? `bbox.xmax >= ${west} and bbox.xmin <= ${east} and bbox.ymax >= ${south} and bbox.ymin <= ${north}`
      : `longitude between ${west} and ${east} and latitude between ${south} and ${north}`;
  }
}

/** The first line of what DuckDB says. The next ones show the query. */
const reasonOf = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : '');
const damaged = (path: string, error: unknown): UnreadableFile =>
  new UnreadableFile(`${path} cannot be read as Parquet. Is it complete? ${reasonOf(error)}`);

async function textsOf(path: string, query: string): Promise<string[][]> {
  const db = await openDuckDb();
  try {
    const rows = await db.runAndReadAll(query, [path]);
    return rows.getRows().map((row) => row.map((value) => (value === null ? '' : String(value))));
  } catch (error) {
    throw damaged(path, error);
  } finally {
    db.closeSync();
  }
}

/** Read when it is needed: it is an optional package of 68 MB. */
async function openDuckDb() {
  const duckdb = await import('@duckdb/node-api').catch(() => {
    throw new UnreadableFile(
      'Parquet needs the package @duckdb/node-api, which is not installed here. Type: npm install',
    );
  });
  const instance = await duckdb.DuckDBInstance.create(':memory:', { memory_limit: MEMORY, threads: '1' });
  return instance.connect();
}
