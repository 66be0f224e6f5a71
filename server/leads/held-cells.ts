import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** An array, so that each key is looked up in the index, however many entries there are. */
const isHeld = (key: RawBuilder<unknown>) =>
  sql`exists (select from app.suppressions as entry where entry.key = any(array[${key}]))`;

/**
 * Tables of a query whose table `page` has leads with their `extra`.
 * - `named`: whom their columns name, by `id`, `header` and `key`.
 * - `held`: the `headers` of a lead's columns that name someone who is suppressed, by `id`.
 */
export const NAMED_AND_HELD: RawBuilder<unknown> = sql`
  cells as materialized (
    select page.id, cell.header, cell.said, row_number() over () as at
    from page, jsonb_each_text(page.extra) as cell (header, said) where page.extra <> '{}'
  ),
  named as materialized (
    select cells.id, cells.header, found.key
    from app.keys_in(array(select said from cells order by at)) as found join cells on cells.at = found.place
  ),
  held as materialized (
    select named.id, array_agg(distinct named.header) as headers from named where ${isHeld(sql`named.key`)} group by named.id
  )`;

/** The columns of a lead without those, where `lead` is joined with `held`. */
export const EXTRA_THAT_MAY_LEAVE: RawBuilder<unknown> = sql`
  case when held.headers is null then lead.extra else lead.extra - held.headers end as extra`;

/** What is shown instead of a text that names someone who is suppressed. */
const SUPPRESSED_TEXT = '[suppressed]';

/** Returns texts as they may be shown. */
export async function shownTexts(db: Db, texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ place: number }>`
    select distinct found.place::integer as place from app.keys_in(${texts}::text[]) as found where ${isHeld(sql`found.key`)}
  `.execute(db);
  const held = new Set(rows.map(({ place }) => place - 1));
  return texts.map((text, at) => (held.has(at) ? SUPPRESSED_TEXT : text));
}
