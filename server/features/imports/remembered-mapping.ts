import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Guess } from './guess/guess-columns.ts';
import type { Mapping } from './stage/import-row.ts';

/** A column without a header is called by its place. */
const BY_PLACE = /^Column \d+$/;

/** The mapping that someone last started a file with that had the same headers, in any order and case; undefined where there was none. */
export async function rememberedMapping(db: Db, userId: string, guess: Guess): Promise<Mapping | undefined> {
  if (!guess.hasHeader) return undefined;
  const headers = guess.columns.map(({ header }) => header);
  const isSame = headers.some((header) => BY_PLACE.test(header))
    ? sql`jsonb_path_query_array(columns, '$[*].header') = ${JSON.stringify(headers)}::jsonb`
    : sql`jsonb_array_length(columns) = ${headers.length} and not exists (
        select lower(header #>> '{}') from jsonb_path_query(columns, '$[*].header') as header
        except select lower(header) from unnest(${headers}::text[]) as header)`;
  const { rows } = await sql<{ mapping: Mapping }>`
    select mapping from app.imports
    where user_id = ${userId} and started_at is not null and has_header and ${isSame}
    order by started_at desc limit 1
  `.execute(db);
  return rows[0] && inSpellingOf(headers, rows[0].mapping);
}

/** The same mapping, with each header as this file writes it. */
function inSpellingOf(headers: readonly string[], mapping: Mapping): Mapping {
  const written = new Map(headers.map((header) => [header.toLowerCase(), header]));
  return Object.fromEntries(
    Object.entries(mapping).map(([header, field]) => [written.get(header.toLowerCase()) ?? header, field]),
  );
}
