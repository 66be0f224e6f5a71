import type { Context } from 'hono';
import type { Pool } from 'pg';
import { CONTENT_TYPE } from './accept.ts';
import type { Caller } from './caller.ts';
import { badRange, notOneRow } from './data-error.ts';
import type { Plan } from './plan.ts';
import { contentRange } from './range.ts';
import { asCaller } from './transaction.ts';

/** `body` is JSON text as PostgreSQL built it. */
type Outcome = { body?: string | null; rows: number; total?: number };

/** Runs the plan in the caller's name and answers with its result. */
export async function answer(c: Context, pool: Pool, caller: Caller, plan: Plan): Promise<Response> {
  const outcome = await asCaller(pool, caller, plan.verb === 'read' ? 'read only' : 'read write', async (client) => {
    const result = await client.query<Outcome>(plan.statement);
    const answered = result.fields.length > 0 ? result.rows[0] : { rows: result.rowCount ?? 0 };
    if (!answered) throw new Error('The statement answered no row.');
    // Decided inside, so that a write that touched several rows is rolled back.
    if (plan.shape === 'object' && answered.rows !== 1) throw notOneRow(answered.rows);
    return answered;
  });
  return plan.verb === 'read' ? answerRead(c, plan, outcome) : answerWrite(c, plan, outcome);
}

function answerRead(c: Context, { page, shape, preferences }: Plan, { body, rows, total }: Outcome): Response {
  if (total !== undefined && page.offset > total) {
    throw badRange(`An offset of ${page.offset} was requested, but there are only ${total} rows.`);
  }
  const headers = headersOf(contentRange(page.offset, rows, total), preferences.applied, CONTENT_TYPE[shape]);
  return c.newResponse(bytesOf(body), total !== undefined && rows < total ? 206 : 200, headers);
}

function answerWrite(c: Context, { verb, shape, preferences }: Plan, { body, rows }: Outcome): Response {
  // PostgREST names positions only for updated rows.
  const range = contentRange(0, verb === 'update' ? rows : 0, preferences.count ? rows : undefined);
  if (body === undefined) {
    return c.newResponse(null, verb === 'insert' ? 201 : 204, headersOf(range, preferences.applied));
  }
  const headers = headersOf(range, preferences.applied, CONTENT_TYPE[shape]);
  return c.newResponse(bytesOf(body), verb === 'insert' ? 201 : 200, headers);
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
