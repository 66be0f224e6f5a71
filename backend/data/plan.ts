import { chooseShape, type Shape } from './accept.ts';
import { parseBody, type Rows, requireJson } from './body.ts';
import { DataError, unsupported } from './errors/data-error.ts';
import { type Preferences, parsePreferences } from './prefer.ts';
import { parseQuery } from './query/parse-query.ts';
import type { Query } from './query/query.ts';
import { type Page, pageOf } from './range.ts';
import type { Table } from './schema/table.ts';
import { deleteSql, updateSql } from './sql/change.ts';
import { fanOutSql } from './sql/fan-out.ts';
import { insertSql } from './sql/insert.ts';
import { readSql } from './sql/read.ts';
import { sourceOf } from './sql/source.ts';
import type { Statement } from './sql/statement.ts';
import type { Returning } from './sql/written.ts';

/** What a request comes to: one statement, and how to answer with its result. */
export type Plan = {
  verb: 'read' | 'insert' | 'update' | 'delete';
  statement: Statement;
  /** Counts what the page would embed, where that might be too much. */
  fanOut?: Statement;
  shape: Shape;
  page: Page;
  preferences: Preferences;
};

type Reading = { query: Query; shape: Shape; preferences: Preferences };

const EVERYTHING: Page = { offset: 0, limit: Number.POSITIVE_INFINITY };

/**
 * Reads one request completely before the database is asked.
 * @throws DataError for whatever is not understood
 */
export async function planRequest(request: Request, table: Table): Promise<Plan> {
  const reading: Reading = {
    query: parseQuery(new URL(request.url).searchParams),
    shape: chooseShape(request.headers.get('Accept') ?? undefined),
    preferences: parsePreferences(request.headers.get('Prefer') ?? undefined),
  };
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return planRead(request, table, reading);
    case 'POST':
      return planInsert(table, reading, await rowsOf(request));
    case 'PATCH':
      return planUpdate(table, reading, await rowsOf(request));
    case 'DELETE':
      return planDelete(table, reading);
    case 'PUT':
      throw unsupported('Replacing a row (PUT)');
    default:
      throw new DataError(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`, {
        headers: { Allow: 'GET, HEAD, POST, PATCH, DELETE' },
      });
  }
}

function planRead(request: Request, table: Table, { query, shape, preferences }: Reading): Plan {
  if (query.columns) throw unsupported('The parameter columns on a read');
  const page = pageOf(query, request.headers.get('Range') ?? undefined);
  const withBody = request.method === 'GET';
  const source = sourceOf(table, query);
  const statement = readSql(source, { page, shape, count: preferences.count, withBody });
  const fanOut = withBody ? fanOutSql(source, page) : undefined;
  return { verb: 'read', statement, ...(fanOut ? { fanOut } : {}), shape, page, preferences };
}

function planInsert(table: Table, reading: Reading, body: Rows): Plan {
  const { query, shape, preferences } = reading;
  if (query.where.length > 0) throw unsupported('A filter on an insert');
  refuseOffset(query);
  const { columns } = query;
  const returning = returningOf(reading);
  const { missingIsDefault, resolution } = preferences;
  const onConflict = resolution && { resolution, columns: query.onConflict };
  const statement = insertSql(table, body, { columns, missingIsDefault, onConflict, returning });
  return { verb: 'insert', statement, shape, page: EVERYTHING, preferences };
}

function planUpdate(table: Table, reading: Reading, body: Rows): Plan {
  const { query, shape, preferences } = reading;
  if (query.columns) throw unsupported('The parameter columns on an update');
  refuseOffset(query);
  const returning = returningOf(reading);
  const statement = updateSql(table, body, { where: query.where, returning });
  return { verb: 'update', statement, shape, page: boundOf(query), preferences };
}

function planDelete(table: Table, reading: Reading): Plan {
  const { query, shape, preferences } = reading;
  if (query.columns) throw unsupported('The parameter columns on a delete');
  refuseOffset(query);
  const returning = returningOf(reading);
  const statement = deleteSql(table, { where: query.where, returning });
  return { verb: 'delete', statement, shape, page: boundOf(query), preferences };
}

/** The rows to answer after a write. An insert answers all that it wrote, whatever the limit, as hosted. */
const returningOf = ({ query, shape, preferences }: Reading): Returning =>
  preferences.representation ? { select: query.select, shape, order: query.order } : undefined;

/** The most rows that a change may touch. */
const boundOf = ({ limit }: Query): Page => ({ ...EVERYTHING, limit: limit ?? EVERYTHING.limit });

function refuseOffset(query: Query): void {
  if (query.offset > 0) throw unsupported('An offset on a write');
}

async function rowsOf(request: Request): Promise<Rows> {
  requireJson(request.headers.get('Content-Type') ?? undefined);
  return parseBody(await request.text());
}

/**
 * supabase-js names the schema with every call.
 * @throws DataError PGRST106 for any but public
 */
export function requirePublicSchema(request: Request): void {
  for (const name of ['Accept-Profile', 'Content-Profile']) {
    const schema = request.headers.get(name);
    if (schema !== null && schema !== 'public') {
      throw new DataError(406, 'PGRST106', `Invalid schema: ${schema.slice(0, 100)}`, {
        hint: 'Only the following schemas are exposed: public',
      });
    }
  }
}
