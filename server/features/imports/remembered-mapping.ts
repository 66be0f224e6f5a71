import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Guess } from './guess/guess-columns.ts';
import type { Mapping } from './stage/import-row.ts';

/** The mapping that someone last started a file with that had the same headers; undefined where there was none. */
export async function rememberedMapping(db: Db, userId: string, guess: Guess): Promise<Mapping | undefined> {
  if (!guess.hasHeader) return undefined;
  const headers = guess.columns.map(({ header }) => header);
  const { rows } = await sql<{ mapping: Mapping }>`
    select mapping from app.imports
    where user_id = ${userId} and started_at is not null and has_header
      and jsonb_path_query_array(columns, '$[*].header') = ${JSON.stringify(headers)}::jsonb
    order by started_at desc limit 1
  `.execute(db);
  return rows[0]?.mapping;
}
