/** The body PostgREST gives with every failure; supabase-js shows it as `error`. */
export type DataErrorBody = { code: string; message: string; details: string | null; hint: string | null };

type Extra = { details?: string; hint?: string; headers?: Record<string, string> };

/** A refusal with PostgREST's code and HTTP status. All of it is shown to the caller. */
export class DataError extends Error {
  override name = 'DataError';
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, extra: Extra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = extra.details ?? null;
    this.hint = extra.hint ?? null;
    this.headers = extra.headers ?? {};
  }

  body(): DataErrorBody {
    return { code: this.code, message: this.message, details: this.details, hint: this.hint };
  }
}

/** A query parameter that does not follow the grammar. `what` names the parameter, `text` is its value. */
export const unparsable = (what: string, text: string, details: string): DataError =>
  new DataError(400, 'PGRST100', `"failed to parse ${what} (${clip(text)})"`, { details });

/** Part of PostgREST's language that is understood but not answered here. */
export const unsupported = (what: string): DataError =>
  new DataError(400, 'PGRST127', 'Feature not implemented', { details: `${what} is not supported.` });

/** A body that is not the JSON that this call takes. */
export const badBody = (message: string, status = 400): DataError => new DataError(status, 'PGRST102', message);

/** A table that does not exist in the exposed schema. */
export const unknownTable = (table: string): DataError =>
  new DataError(404, 'PGRST205', `Could not find the table 'public.${clip(table)}' in the schema cache`);

/** A column that a filter, an order or a selection names and the table lacks. */
export const unknownColumn = (table: string, column: string): DataError =>
  new DataError(400, '42703', `column ${table}.${clip(column)} does not exist`);

/** A column that a body (or `columns`) names and the table lacks. */
export const unknownBodyColumn = (table: string, column: string): DataError =>
  new DataError(400, 'PGRST204', `Could not find the '${clip(column)}' column of '${table}' in the schema cache`);

/** The single object that was asked for is not exactly one row. */
export const notOneRow = (rows: number): DataError =>
  new DataError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });

/** A page that begins behind the last row, or a range that means nothing. */
export const badRange = (details: string): DataError =>
  new DataError(416, 'PGRST103', 'Requested range not satisfiable', { details });

/** A bearer token that is not accepted. */
export const badToken = (code: 'PGRST301' | 'PGRST303', message: string): DataError =>
  new DataError(401, code, message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });

const clip = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
