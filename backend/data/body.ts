import { scanJson } from '#db/values/json-depth.ts';
import { badBody, tooManyRows } from './errors/data-error.ts';

/** The largest accepted body. */
export const MAX_BODY_BYTES = 1_000_000;

/** The rows of one insert. The database holds people to the same number. */
const MAX_INSERTED_ROWS = 100;

/** A body's rows: `rows` to look at their keys, `array` the JSON text for PostgreSQL to read. */
export type Rows = { rows: readonly Readonly<Record<string, unknown>>[]; array: string };

/**
 * Refuses anything but JSON.
 * @throws DataError PGRST102, HTTP 415
 */
export function requireJson(contentType: string | undefined): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined || type === 'application/json') return;
  throw badBody(`Content-Type not acceptable: ${type.slice(0, 100)}. Send application/json.`, 415);
}

/**
 * Reads one object or an array of objects.
 * @throws DataError PGRST102, or for too many rows
 */
export function parseBody(text: string): Rows {
  // Before parsing: a megabyte of small objects would hold up everyone.
  const fault = text.trimStart().startsWith('[') ? scanJson(text, MAX_INSERTED_ROWS) : scanJson(text, Infinity);
  if (fault === 'too deep') throw badBody('The body nests too deep');
  if (fault === 'too many rows') throw tooManyRows(MAX_INSERTED_ROWS);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw badBody('Empty or invalid json');
  }
  if (isObject(parsed)) return { rows: [parsed], array: `[${text}]` };
  if (Array.isArray(parsed) && parsed.every(isObject)) return { rows: parsed, array: text };
  throw badBody('The body must be a JSON object or an array of JSON objects');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
