import { sql } from 'kysely';
import { LEAD_FIELDS } from '#contract/imports/fields.ts';
import type { FileOrigin } from '#contract/work/provenance.ts';
import type { Db } from '#db/connection/client.ts';
import { shownTexts } from '#server/leads/held-cells.ts';

type Row = {
  import_id: string;
  name: string;
  row: number;
  extra: Record<string, string>;
  originals: Record<string, string>;
  headers: string[];
};

/** A lead, and those of its owner that it may be a copy of: of the same row of a file, or the same place. One look-up each. */
const SAME = sql`
  select lead.id
  union select one.id from public.leads as one where one.import_id = lead.import_id and one.import_row = lead.import_row
  union select one.id from public.lists as mine join public.lists as list on list.user_id = mine.user_id
    join public.leads as one on one.list_id = list.id and one.place_id = lead.place_id
  where mine.id = lead.list_id and lead.import_id is null
  union select one.id from public.lists as mine join public.lists as list on list.user_id = mine.user_id
    join public.leads as one on one.list_id = list.id and one.open_id = lead.open_id
  where mine.id = lead.list_id and lead.import_id is null`;

/** Reads the file that brought a lead, or that last filled its extra columns. Null for a lead from no file. */
export async function readFileOrigin(db: Db, leadId: string): Promise<FileOrigin | null> {
  const { rows } = await sql<Row>`
    select import.id as import_id, import.name, origin.row, lead.extra, origin.originals,
      array(select jsonb_path_query(import.columns, '$[*].header') #>> '{}') as headers
    from public.leads as lead
      cross join lateral (
        select lead.import_id, lead.import_row as row, lead.originals where lead.import_id is not null
        union all
        (select filled.import_id, filled.row, filled.originals from (${SAME}) as same
          join app.import_updates as filled on filled.lead_id = same.id
          join app.imports as given on given.id = filled.import_id
          where same.id = lead.id or exists (
            select from jsonb_each_text(filled.after - 'extra' || coalesce(filled.after -> 'extra', '{}')) as cell (key, value)
            where cell.value in (to_jsonb(lead) ->> cell.key, lead.extra ->> cell.key))
          order by given.started_at desc, filled.row desc limit 1)
        limit 1
      ) as origin
      join app.imports as import on import.id = origin.import_id
    where lead.id = ${leadId}
  `.execute(db);
  const [found] = rows;
  if (!found) return null;
  const filled = await readFilled(db, leadId, found);
  const theirs = new Set(filled.flatMap((one) => one.extra.map(({ header }) => header)));
  const own = Object.fromEntries(Object.entries(found.extra).filter(([header]) => !theirs.has(header)));
  const [extra, originals] = [await shownCells(db, own), await shownCells(db, found.originals)];
  const place = (header: string) => found.headers.indexOf(header) + 1 || found.headers.length + 1;
  return {
    importId: found.import_id,
    name: found.name,
    row: found.row,
    extra: extra.toSorted(([one], [other]) => place(one) - place(other)).map(([header, value]) => ({ header, value })),
    originals: Object.fromEntries(originals),
    filled,
  };
}

type Filled = Pick<FileOrigin['filled'][number], 'name' | 'row' | 'fields'> & Pick<Row, 'extra' | 'originals'>;

/**
 * Reads which rows filled in what a lead has, besides the one that is told as its origin. A copy has it from the lead of the same row.
 * - A value that was changed since is no longer theirs.
 */
async function readFilled(
  db: Db,
  leadId: string,
  origin: Pick<Row, 'import_id' | 'row'>,
): Promise<FileOrigin['filled']> {
  const { rows } = await sql<Filled>`
    select import.name, filled.row, has.fields, has.extra, filled.originals
    from public.leads as lead
      cross join lateral (${SAME}) as same
      join app.import_updates as filled on filled.lead_id = same.id
      join app.imports as import on import.id = filled.import_id
      cross join lateral (
        select array(
          select field from jsonb_object_keys(filled.after) as field
          where field = any(${[...LEAD_FIELDS]}) and filled.after ->> field = to_jsonb(lead) ->> field) as fields,
        (select coalesce(jsonb_object_agg(cell.header, cell.value), '{}')
          from jsonb_each_text(filled.after -> 'extra') as cell (header, value)
          where lead.extra ->> cell.header = cell.value) as extra
      ) as has
    where lead.id = ${leadId} and (has.fields <> '{}' or has.extra <> '{}')
      and (filled.import_id, filled.row) <> (${origin.import_id}, ${origin.row})
    order by import.started_at, filled.row
  `.execute(db);
  return Promise.all(
    rows.map(async ({ name, row, fields, extra, originals }) => ({
      name,
      row,
      fields,
      extra: (await shownCells(db, extra)).map(([header, value]) => ({ header, value })),
      originals: Object.fromEntries((await shownCells(db, originals)).filter(([field]) => fields.includes(field))),
    })),
  );
}

/** Cells by their columns, each as it may be shown. */
async function shownCells(db: Db, cells: Readonly<Record<string, string>>): Promise<[string, string][]> {
  const texts = await shownTexts(db, Object.values(cells));
  return Object.keys(cells).map((column, at) => [column, texts[at] ?? '']);
}
