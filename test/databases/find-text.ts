import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

type TextColumn = { table: string; column: string; closed: boolean };

/** Columns that can hold text, by schema. `closed`: a check lets in certain words alone. */
export async function textColumns(db: Db, schemas: readonly string[]): Promise<TextColumn[]> {
  const { rows } = await sql<TextColumn>`
    select format('%s.%s', class.relnamespace::regnamespace, class.relname) as table, attribute.attname as column, exists (
      select from pg_constraint as one where one.conrelid = class.oid and one.contype = 'c' and one.conkey = array[attribute.attnum]
        and strpos(pg_get_constraintdef(one.oid), '= ANY (ARRAY[') > 0) as closed
    from pg_class as class join pg_attribute as attribute on attribute.attrelid = class.oid
    where class.relkind = 'r' and class.relnamespace::regnamespace::text = any(${schemas})
      and attribute.attnum > 0 and not attribute.attisdropped
      and (select coalesce(element.typcategory, type.typcategory) from pg_type as type
        left join pg_type as element on element.oid = type.typelem and type.typcategory = 'A' where type.oid = attribute.atttypid) in ('S', 'U')
      and attribute.atttypid <> all (array['uuid'::regtype, 'uuid[]'::regtype])
    order by 1, 2`.execute(db);
  return rows;
}

/** Every column of the whole database of which a value fits, as <schema>.<table>.<column>. Bytes are looked at as characters. */
export async function columnsWith(db: Db, fits: (text: string) => boolean): Promise<string[]> {
  const { rows: schemas } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname !~ '^pg_|^information_schema$|_migrations$'`.execute(db);
  const open = (text: string) => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('latin1') : text);
  const found: string[] = [];
  const all = await textColumns(
    db,
    schemas.map(({ name }) => name),
  );
  for (const [table, columns] of Map.groupBy(all, (one) => one.table)) {
    const texts = columns.map(({ column }) => sql`${sql.ref(column)}::text as ${sql.ref(column)}`);
    const { rows } = await sql<
      Record<string, string | null>
    >`select ${sql.join(texts)} from ${sql.table(table)}`.execute(db);
    for (const { column } of columns)
      if (rows.some((row) => fits(open(row[column] ?? '')))) found.push(`${table}.${column}`);
  }
  return found;
}
