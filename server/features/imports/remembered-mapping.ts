import type { Db } from '#db/connection/client.ts';
import type { Guess } from './guess/guess-columns.ts';
import { columnsOf, type Mapping, mappingOf } from './stage/import-row.ts';

/** Started files of so many columns that are looked at, the newest first. */
const MOST_LOOKED_AT = 200;

/** A column without a header is called by its place. */
const BY_PLACE = /^Column \d+$/i;

/** The mapping that someone last started a file with that had the same headers, in any order and case; undefined where there was none. */
export async function rememberedMapping(db: Db, userId: string, guess: Guess): Promise<Mapping | undefined> {
  if (!guess.hasHeader) return undefined;
  const headers = guess.columns.map(({ header }) => header);
  const wanted = comparable(headers);
  const before = await db
    .selectFrom('app.imports')
    .select(['columns', 'mapping'])
    .where('user_id', '=', userId)
    .where('started_at', 'is not', null)
    .where('has_header', '=', true)
    .where((eb) => eb(eb.fn('jsonb_array_length', ['columns']), '=', headers.length))
    .orderBy('started_at', 'desc')
    .limit(MOST_LOOKED_AT)
    .execute();
  const same = before.find((one) => comparable(columnsOf(one).map(({ header }) => header)) === wanted);
  return same && inSpellingOf(headers, mappingOf(same));
}

function comparable(headers: readonly string[]): string {
  const folded = headers.map((header) => header.toLowerCase());
  return JSON.stringify(headers.some((header) => BY_PLACE.test(header)) ? folded : folded.toSorted());
}

/** The same mapping, with each header as this file writes it. */
function inSpellingOf(headers: readonly string[], mapping: Mapping): Mapping {
  const written = new Map(headers.map((header) => [header.toLowerCase(), header]));
  return Object.fromEntries(
    Object.entries(mapping).map(([header, field]) => [written.get(header.toLowerCase()) ?? header, field]),
  );
}
