import { type RawBuilder, sql } from 'kysely';
import { exportFileName } from '#contract/work/exports/exports.ts';
import type { Db } from '#db/connection/client.ts';
import { NAMED_AND_HELD } from '#server/leads/held-cells.ts';

/** `exportId`: under which the evidence has it. */
type Noted = { exportId: string; userId: string; list: { id: string; name: string }; fileName: string | undefined };

/** Records that a file of leads is about to leave, and returns the number of the export. */
export async function beginExport(db: Db, { exportId, userId, list, fileName }: Noted): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into app.exports (evidence_id, user_id, list_id, list_name, file_name)
    values (${exportId}::uuid, ${userId}, ${list.id}, ${list.name}, ${fileName?.trim() || exportFileName(list.name, new Date())})
    returning id::text as id
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('An export was not written down.');
  return row.id;
}

/**
 * Reads one part of an export and records its leads in the same statement: none leaves without a record.
 * - `page`: a query of leads with their `position`, `contact_keys` and `extra`.
 * - `columns`: what to read of them, in a query that calls them `lead` and has `held` and `told` beside them.
 *   `told.numbers`: the numbers that their other columns name, as [header, E.164].
 */
export async function readNotedPart<Row>(
  db: Db,
  { exportId, part }: { exportId: string; part: number },
  page: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with page as materialized (${page}),
    ${NAMED_AND_HELD},
    leaving as (
      select key from page, unnest(page.contact_keys) as key
      union
      select named.key from named left join held on held.id = named.id
      where held.headers is null or named.header <> all(held.headers)
    ),
    told as materialized (
      select id, jsonb_agg(jsonb_build_array(header, substr(key, length('phone:') + 1))) as numbers
      from named where starts_with(key, 'phone:') group by id
    ),
    noted as (
      insert into app.export_contacts (export_id, part, hashes)
      select ${exportId}::bigint, ${part}, app.short_hashes(array(select key from leaving))
      where exists (select from page)
    ),
    counted as (
      update app.exports set leads = leads + (select count(*) from page) where id = ${exportId}::bigint
    )
    select ${columns} from page as lead left join held on held.id = lead.id left join told on told.id = lead.id order by lead.position
  `.execute(db);
  return rows;
}
