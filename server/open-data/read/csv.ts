import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { isBinary } from '#server/lib/decode.ts';
import { LONGEST_LICENSE, type RawPlace } from '#server/open-data/open-place.ts';
import { spell } from '#server/open-data/terms.ts';
import { textOf } from './bytes.ts';
import { type Chunk, type Frame, type OpenFile, ROWS_AT_ONCE, UnreadableFile } from './chunk.ts';
import { inFrame } from './in-frame.ts';

/** How the columns may be called. */
const COLUMNS = {
  id: ['id', 'place id', 'source id', 'gers id', 'fsq place id', 'overture id'],
  name: ['name', 'business name', 'company', 'title'],
  category: ['category', 'basic category', 'categories', 'type', 'business type', 'fsq category labels'],
  phone: ['phone', 'telephone', 'tel', 'phone number'],
  website: ['website', 'url', 'web', 'domain'],
  email: ['email', 'e mail', 'email address'],
  street: ['street', 'address', 'freeform', 'street address'],
  city: ['city', 'locality', 'town'],
  region: ['state', 'region', 'province'],
  postcode: ['zip', 'postcode', 'zip code', 'postal code'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'x'],
  confidence: ['confidence'],
  license: ['license'],
  closed: ['date closed', 'closed on'],
} as const;
type Column = keyof typeof COLUMNS;

/**
 * Looks at a CSV file. `license`: for rows that do not say it.
 * @throws UnreadableFile where a column or the license is missing.
 */
export function openCsv(
  path: string,
  head: string,
  { source, license }: { source?: string | undefined; license?: string | undefined },
): OpenFile {
  const headers = Papa.parse<string[]>(head.slice(0, head.lastIndexOf('\n') + 1) || head, { preview: 1 }).data[0] ?? [];
  const at = columnsOf(headers);
  for (const needed of ['id', 'name', 'latitude', 'longitude'] as const)
    if (at[needed] === undefined)
      throw new UnreadableFile(
        isBinary(head)
          ? `${path} is not a text file. Save a spreadsheet as CSV, and unpack a ZIP file.`
          : `${path} has no column for ${needed}. Its first line must name one.`,
      );
  if (!source) throw new UnreadableFile(`Say where ${path} comes from, such as city-register.`);
  if (!license && at.license === undefined)
    throw new UnreadableFile(`Say under which license ${path} may be kept, such as CC-BY-4.0.`);
  if (license && license.length > LONGEST_LICENSE)
    throw new UnreadableFile(`Name the license of ${path} in at most ${LONGEST_LICENSE} characters.`);
  return {
    source,
    release: /\d{4}-\d\d-\d\d/.exec(path)?.[0],
    read: (after, frame) => chunksOf(path, at, license ?? '', after, frame),
  };
}

function columnsOf(headers: readonly string[]): Partial<Record<Column, number>> {
  const spelled = headers.map((header) => spell(header));
  const found: Partial<Record<Column, number>> = {};
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const names = COLUMNS[column].map((name) => spell(name));
    const index = spelled.findIndex((header) => names.includes(header));
    if (index >= 0) found[column] = index;
  }
  return found;
}

async function* chunksOf(
  path: string,
  at: Partial<Record<Column, number>>,
  license: string,
  after: number,
  frame: Frame | undefined,
): AsyncGenerator<Chunk> {
  const text = Readable.from(textOf(path));
  // Its fast mode splits what is left of a part into lines again wherever it has to wait.
  const rows = text.pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: true, fastMode: false }));
  // A pipe hands on no failure: without this, one would end the process.
  text.on('error', (error) => rows.destroy(error));
  let chunk: Chunk = { done: 0, places: [], unusable: 0 };
  let isHeader = true;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    chunk.done += 1;
    if (chunk.done <= after) continue;
    const cell = (column: Column) => row[at[column] ?? -1];
    const [longitude, latitude] = [Number(cell('longitude') || Number.NaN), Number(cell('latitude') || Number.NaN)];
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) chunk.unusable += 1;
    else if (!frame || inFrame(frame, longitude, latitude)) chunk.places.push(placeOf(cell, license));
    if ((chunk.done - after) % ROWS_AT_ONCE > 0) continue;
    yield chunk;
    chunk = { done: chunk.done, places: [], unusable: 0 };
  }
  yield chunk;
}

/** What programs write where there is no day. */
const NO_DAY = /^(?:[-0/:. T]*|\\N|null|none|nan|nat|nil|n\/?a|no|not closed|open|false)$/i;

const placeOf = (cell: (column: Column) => string | undefined, license: string): RawPlace => ({
  id: cell('id'),
  license: cell('license')?.trim() || license,
  name: cell('name'),
  categories: (cell('category') ?? '').split(/[;|]/),
  phone: cell('phone'),
  website: cell('website'),
  email: cell('email'),
  address: { street: cell('street'), city: cell('city'), region: cell('region'), postcode: cell('postcode') },
  latitude: cell('latitude'),
  longitude: cell('longitude'),
  confidence: cell('confidence') || undefined,
  closed: !NO_DAY.test(cell('closed')?.trim() ?? ''),
  closedOn: cell('closed'),
});
