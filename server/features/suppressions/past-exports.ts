import { sql } from 'kysely';
import { MOST_NAMED_EXPORTS, type PastExport, type PastExports } from '#contract/calling/suppressions.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

type Row = Omit<PastExport, 'at'> & { key: string; at: Date; total: number };

/** Which past exports held a contact, by its key, the newest first. Keys that were in none are left out. */
export async function pastExportsOf(db: Db | Tx, keys: readonly string[]): Promise<Map<string, PastExports>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select * from (
      select held.key, export.id::text as id, profile.email as by, export.exported_at as at, export.list_name as "listName",
        export.file_name as "fileName", export.leads, (count(*) over one)::integer as total,
        row_number() over (one order by export.exported_at desc, export.id desc) as place
      from app.exports_holding(${keys}::text[]) as held join app.exports as export on export.id = held.export_id
        left join app.profiles as profile on profile.user_id = export.user_id
      window one as (partition by held.key)
    ) as ranked
    where place <= ${MOST_NAMED_EXPORTS} order by key, place
  `.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [
      key,
      {
        total: own[0]?.total ?? 0,
        newest: own.map(({ id, by, at, listName, fileName, leads }) => ({
          id,
          by,
          at: at.toISOString(),
          listName,
          fileName,
          leads,
        })),
      },
    ]),
  );
}

/** The ids of past exports that held one of these contacts. */
export async function pastExportsHolding(db: Db | Tx, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct export_id::text as id from app.exports_holding(${keys}::text[])
  `.execute(db);
  return rows.map(({ id }) => id);
}
