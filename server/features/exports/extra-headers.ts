import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** Reads the columns from people's own files that leads of a list have, in the order of their files, the oldest file first. */
export async function readExtraHeaders(db: Db, listId: string): Promise<string[]> {
  const { rows } = await sql<{ header: string }>`
    with held as (
      select distinct header from public.leads as lead, jsonb_object_keys(lead.extra) as header
      where lead.list_id = ${listId} and lead.extra <> '{}'
    ), named as (
      select distinct on (told.header) told.header, import.created_at, told.place
      from public.lists as list join app.imports as import on import.user_id = list.user_id,
        jsonb_path_query(import.columns, '$[*].header') with ordinality as given (value, place),
        lateral (select given.value #>> '{}' as header, given.place) as told
      where list.id = ${listId} and told.header in (select header from held)
      order by told.header, import.created_at
    )
    select held.header from held left join named using (header)
    order by named.created_at, named.place, held.header
  `.execute(db);
  return rows.map(({ header }) => header);
}
