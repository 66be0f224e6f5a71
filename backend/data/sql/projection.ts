import { escapeIdentifier } from 'pg';
import { isSingle, type Shape } from '#backend/data/accept.ts';
import { unsupported } from '#backend/data/errors/data-error.ts';
import type { Selected, SelectedField } from '#backend/data/query/query.ts';
import { MAX_ROWS } from '#backend/data/range.ts';
import { castSql } from './casts.ts';
import { fieldSql } from './field.ts';
import { orderSql } from './order.ts';
import type { Embedded, Source } from './source.ts';
import type { Parameters } from './statement.ts';
import { embeddedFromSql } from './where.ts';

/**
 * `columns` stands in the inner select or `returning`, and `joins` behind the table it selects from. `row` is one of the rows
 * called `rows` as a value for json_agg. `names` are the keys of the answer.
 */
export type Projection = { columns: string; joins: string; row(rows: string): string; names: readonly string[] };

// json_build_object takes at most 100 arguments: a name and a value for each column.
const MAX_RENAMED = 50;

type Item = { name: string; sql: string };
/** What one entry of select comes to; `plain` is its SQL where PostgreSQL names it as the answer does, `join` what it joins. */
type Entry = { items: readonly Item[]; plain?: readonly string[]; join?: string };

/**
 * The selected columns as SQL. Names that a request invents (aliases) are passed as values, never written.
 * @throws DataError 42703 for a column that the table lacks
 */
export function projectionOf(source: Source, parameters: Parameters): Projection {
  const entries = source.part.select.map((selected) => entryOf(source, selected, parameters));
  const items = entries.flatMap((entry) => entry.items);
  const names = items.map(({ name }) => name);
  const joins = entries.map(({ join = '' }) => join).join('');
  if (entries.every(({ plain }) => plain)) {
    return { columns: entries.flatMap(({ plain }) => plain ?? []).join(', '), joins, row: (rows) => rows, names };
  }
  if (items.length > MAX_RENAMED) throw unsupported(`A selection of more than ${MAX_RENAMED} columns with new names`);
  return {
    columns: columnsSql(items),
    joins,
    row: (rows) => {
      const pairs = names.map((name, at) => `${parameters.add(name)}::text, ${rows}.c${at}`);
      return `json_build_object(${pairs.join(', ')})`;
    },
    names,
  };
}

/** `… as c0, … as c1`: names that no request invents. */
const columnsSql = (items: readonly Item[]): string => items.map(({ sql }, at) => `${sql} as c${at}`).join(', ');

/** Bytes of one answer. The process handles them all on its one thread, so a larger one would keep others waiting. */
export const MAX_ANSWER_BYTES = 2_000_000;

/** The answer that the rows called `rows` make, or an empty text for a larger one. PostgreSQL builds it; it is passed on as text. */
export function bodySql(projection: Projection, rows: string, shape: Shape, parameters: Parameters): string {
  const body = wholeBodySql(projection, rows, shape, parameters);
  return `case when octet_length(${body}) > ${MAX_ANSWER_BYTES} then '' else ${body} end`;
}

function wholeBodySql({ row, names }: Projection, rows: string, shape: Shape, parameters: Parameters): string {
  if (shape === 'csv') return csvSql(names, rows, parameters);
  const all = `json_agg(${row(rows)})`;
  const answer = isSingle(shape) ? `(${all} -> 0)` : `coalesce(${all}, '[]')`;
  return shape === 'array' || shape === 'object' ? `${answer}::text` : `json_strip_nulls(${answer})::text`;
}

/** Each line is PostgreSQL's text of the row without its brackets; nothing but a line's end without rows. */
function csvSql(names: readonly string[], rows: string, parameters: Parameters): string {
  const header = names.map((name) => (/[",\r\n]/u.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');
  const line = `substring(${rows}::text, 2, length(${rows}::text) - 2)`;
  const head = `case when count(*) = 0 then '' else ${parameters.add(header)}::text end`;
  return `${head} || chr(10) || coalesce(string_agg(${line}, chr(10)), '')`;
}

function entryOf(source: Source, selected: Selected, parameters: Parameters): Entry {
  switch (selected.kind) {
    case 'all': {
      const items = [...source.table.columns.values()].map(({ name, sql }) => ({
        name,
        sql: `${source.alias}.${sql}`,
      }));
      return { items, plain: [`${source.alias}.*`] };
    }
    case 'field':
      return fieldEntry(source, selected, parameters);
    case 'embed': {
      const embedded = source.embedded.find(({ embed }) => embed === selected);
      if (!embedded) throw new Error('An embedded table was not resolved.');
      return selected.spread ? spreadEntry(source, embedded, parameters) : embedEntry(source, embedded, parameters);
    }
  }
}

function fieldEntry(source: Source, { field, cast, as }: SelectedField, parameters: Parameters): Entry {
  const name = as ?? field.column;
  const counts = isCount(source, field.column) && field.path.length === 0;
  const { sql } = counts ? { sql: 'count(*)' } : fieldSql(source, field, parameters);
  const items = [{ name, sql: cast === undefined ? sql : castSql(sql, cast) }];
  return as === undefined && cast === undefined && field.path.length === 0 ? { items, plain: [sql] } : { items };
}

/** `leads(count)` counts, where there is no column of that name. */
export const isCount = ({ table }: Source, column: string): boolean =>
  column === 'count' && !table.columns.has('count');

/** The rows of a related table as one JSON value: an array, or an object or null. */
function embedEntry(parent: Source, embedded: Embedded, parameters: Parameters): Entry {
  const { name, embed, relation, source } = embedded;
  // An empty selection only joins.
  if (embed.part.select.length === 0) return { items: [], plain: [] };
  const { columns, joins, row } = projectionOf(source, parameters);
  const from = embeddedFromSql(parent, embedded, parameters, joins);
  const rows = `e${source.alias}`;
  const sql = relation.many
    ? `(select coalesce(json_agg(${row(rows)}), '[]') from (select ${columns} ${from}${windowSql(source, parameters)}) as ${rows})`
    : `(select json_agg(${row(rows)}) -> 0 from (select ${columns} ${from} limit 1) as ${rows})`;
  const isKnownName = embed.as === undefined && name === source.table.name;
  return { items: [{ name, sql }], ...(isKnownName ? { plain: [`${sql} as ${escapeIdentifier(name)}`] } : {}) };
}

/** ` order by … limit … offset …` of an embedded table. */
export function windowSql(source: Source, parameters: Parameters): string {
  const limit = parameters.add(embeddedLimit(source));
  const { offset } = source.part;
  return `${orderSql(source, parameters)} limit ${limit}::bigint${offset === 0 ? '' : ` offset ${parameters.add(offset)}::bigint`}`;
}

/** The most rows that are embedded in one row. */
export const embeddedLimit = ({ part }: Source): number => Math.min(part.limit ?? MAX_ROWS, MAX_ROWS);

/** The columns of the related row beside those of the row itself, or of all related rows, each as an array. */
function spreadEntry(parent: Source, embedded: Embedded, parameters: Parameters): Entry {
  const { relation, source } = embedded;
  const entries = source.part.select.map((selected) => entryOf(source, selected, parameters));
  const inside = entries.flatMap((entry) => entry.items);
  if (inside.length === 0) return { items: [] };
  const joins = entries.map(({ join = '' }) => join).join('');
  const from = embeddedFromSql(parent, embedded, parameters, joins);
  const rows = `e${source.alias}`;
  const arrays = inside.map((_, at) => `coalesce(json_agg(r.c${at}), '[]') as c${at}`).join(', ');
  const related = relation.many
    ? `select ${arrays} from (select ${columnsSql(inside)} ${from}${windowSql(source, parameters)}) as r`
    : `select ${columnsSql(inside)} ${from} limit 1`;
  return {
    items: inside.map(({ name }, at) => ({ name, sql: `${rows}.c${at}` })),
    join: ` left join lateral (${related}) as ${rows} on true`,
  };
}
