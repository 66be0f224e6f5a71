import type { Context } from 'hono';
import type { PoolClient } from 'pg';
import { CONTENT_TYPE, isSingle } from './accept.ts';
import type { Caller } from './caller.ts';
import { badRange, notOneRow, tooLarge, tooManyAffected, tooManyEmbedded, unsupported } from './errors/data-error.ts';
import type { Plan } from './plan.ts';
import { contentRange } from './range.ts';
import { MAX_EMBEDDED_ROWS } from './sql/fan-out.ts';
import { MAX_ANSWER_BYTES } from './sql/projection.ts';
import { type Access, asCaller, type Connections } from './transaction.ts';

/**
 * `body` is text as PostgreSQL built it, of `shown` rows or else of all; `fresh` are the rows of an upsert that were not there
 * before.
 */
type Outcome = { body?: string | null; rows: number; shown?: number; total?: number; fresh?: number };

/** Runs the plan in the caller's name and answers with its result. */
export async function answer(c: Context, pool: Connections, caller: Caller, plan: Plan): Promise<Response> {
  const ask = async (client: PoolClient): Promise<Outcome> => {
    if (plan.fanOut) {
      const { rows } = await client.query<{ rows: number }>(plan.fanOut);
      if ((rows[0]?.rows ?? 0) > MAX_EMBEDDED_ROWS) throw tooManyEmbedded(MAX_EMBEDDED_ROWS);
    }
    const result = await client.query<Outcome>(plan.statement);
    const answered = result.fields.length > 0 ? result.rows[0] : { rows: result.rowCount ?? 0 };
    if (!answered) throw new Error('The statement answered no row.');
    requireFitting(plan, answered);
    return answered;
  };
  const outcome = await asCaller(pool, caller, accessOf(plan), ask, c.req.raw.signal);
  return plan.verb === 'read' ? answerRead(c, plan, outcome) : answerWrite(c, plan, outcome);
}

function accessOf({ verb, preferences }: Plan): Access {
  if (verb === 'read') return 'read only';
  return preferences.rollback ? 'rolled back' : 'read write';
}

/** Decided inside the transaction, so that a write that touched too many rows is rolled back. */
function requireFitting(
  { verb, shape, page, preferences: { maxAffected } }: Plan,
  { body, rows, shown = rows }: Outcome,
): void {
  const changes = verb === 'update' || verb === 'delete';
  if (changes && maxAffected !== undefined && rows > maxAffected) throw tooManyAffected(rows);
  // Hosted ignores the limit. Anyone who gave one did not mean to change more rows.
  if (changes && rows > page.limit) throw unsupported(`A limit of ${page.limit} on a change of ${rows} rows`);
  if (isSingle(shape) && shown !== 1) throw notOneRow(shown);
  if (body === null && verb !== 'read') throw tooManyEmbedded(MAX_EMBEDDED_ROWS);
  if (body === '') throw tooLarge(MAX_ANSWER_BYTES);
}

function answerRead(c: Context, { page, shape, preferences }: Plan, { body, rows, total }: Outcome): Response {
  if (total !== undefined && page.offset > total) {
    throw badRange(`An offset of ${page.offset} was requested, but there are only ${total} rows.`);
  }
  const headers = headersOf(contentRange(page.offset, rows, total), preferences.applied, CONTENT_TYPE[shape]);
  return c.newResponse(bytesOf(body), total !== undefined && rows < total ? 206 : 200, headers);
}

function answerWrite(
  c: Context,
  { verb, shape, preferences }: Plan,
  { body, rows, shown = rows, fresh }: Outcome,
): Response {
  // PostgREST names positions only for updated rows.
  const range = contentRange(0, verb === 'update' ? shown : 0, preferences.count ? rows : undefined);
  // An upsert that only changed rows has created nothing.
  const created = verb === 'insert' && fresh !== 0;
  if (body === undefined) {
    const status = verb === 'insert' ? 200 : 204;
    return c.newResponse(null, created ? 201 : status, headersOf(range, preferences.applied));
  }
  const headers = headersOf(range, preferences.applied, CONTENT_TYPE[shape]);
  return c.newResponse(bytesOf(body), created ? 201 : 200, headers);
}

/** As bytes it is encoded once; as text it would be measured, joined to the headers and then encoded. */
const bytesOf = (body: string | null | undefined) => (body == null ? null : Buffer.from(body));

function headersOf(range: string, applied: readonly string[], contentType?: string): Record<string, string> {
  return {
    'Content-Range': range,
    'Cache-Control': 'no-store',
    ...(applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') }),
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  };
}
