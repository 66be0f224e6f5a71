import type { TooManyAtOnce } from '#db/turns/turns.ts';

/** The body PostgREST gives with every failure; supabase-js shows it as `error`. */
export type DataErrorBody = { code: string; message: string; details: Details | null; hint: string | null };

/** A sentence, or, where relationships are ambiguous, one object for each. */
type Details = string | readonly object[];
type Extra = { details?: Details; hint?: string; headers?: Record<string, string> };

/** A refusal with PostgREST's code and HTTP status. All of it is shown to the caller. */
export class DataError extends Error {
  override name = 'DataError';
  readonly status: number;
  readonly code: string;
  readonly details: Details | null;
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

/** A function that does not exist in the exposed schema; `parameters` are the names it was called with. */
export function unknownFunction(name: string, parameters: readonly string[], isPost: boolean): DataError {
  const names = clip(parameters.join(', '));
  const without = parameters.length === 0;
  const call = `public.${clip(name)}${without ? ' without parameters' : `(${names})`}`;
  const searched = without ? ' without parameters' : ` with parameter${parameters.length > 1 ? 's' : ''} ${names}`;
  const unnamed = isPost ? ' or with a single unnamed json/jsonb parameter' : '';
  return new DataError(404, 'PGRST202', `Could not find the function ${call} in the schema cache`, {
    details: `Searched for the function public.${clip(name)}${searched}${unnamed}, but no matches were found in the schema cache.`,
  });
}

/** Tables without a foreign key between them, or not the one that was named. */
export const unrelated = (table: string, other: string, hint: string | undefined): DataError =>
  new DataError(
    400,
    'PGRST200',
    `Could not find a relationship between '${table}' and '${clip(other)}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${table}' and '${clip(other)}'${
        hint === undefined ? '' : ` using the hint '${clip(hint)}'`
      } in the schema 'public', but no matches were found.`,
    },
  );

/** One of several relations; `hint` is what names it. */
export type Candidate = {
  cardinality: 'one-to-many' | 'many-to-one' | 'one-to-one' | 'many-to-many';
  embedding: string;
  relationship: string;
  hint: string;
};

/** Tables with several foreign keys between them, of which none was named. */
export const ambiguous = (table: string, other: string, candidates: readonly Candidate[]): DataError =>
  new DataError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${table}' and '${other}'`,
    {
      details: candidates.map(({ hint: _, ...candidate }) => candidate),
      hint: `Try changing '${other}' to one of the following: ${candidates
        .map(({ hint }) => `'${hint}'`)
        .join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  );

/** A parameter of a table that select does not embed. */
export const notEmbedded = (name: string): DataError =>
  new DataError(400, 'PGRST108', `'${clip(name)}' is not an embedded resource in this request`, {
    hint: `Verify that '${clip(name)}' is included in the 'select' query parameter.`,
  });

/** An order by a table that a row has many rows of. */
export const notToOne = (table: string, other: string): DataError =>
  new DataError(400, 'PGRST118', `A related order on '${other}' is not possible`, {
    details: `'${table}' and '${other}' do not form a many-to-one or one-to-one relationship`,
  });

/** Sums and averages, which are switched off, as hosted. */
export const aggregatesNotAllowed = (): DataError =>
  new DataError(400, 'PGRST123', 'Use of aggregate functions is not allowed');

/** A change that touched more rows than it was meant to. */
export const tooManyAffected = (rows: number): DataError =>
  new DataError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
    details: `The query affects ${rows} rows`,
  });

/** An answer that would hold more embedded rows than one answer may. */
export const tooManyEmbedded = (most: number): DataError =>
  new DataError(400, '54000', `The answer would hold more than ${most} embedded rows`, {
    hint: 'Ask for smaller pages, or give the embedded table a limit.',
  });

export const tooLarge = (mostBytes: number): DataError =>
  new DataError(413, '54000', `The answer would be larger than ${mostBytes / 1_000_000} MB`, {
    hint: 'Ask for smaller pages, or for fewer columns.',
  });

/** Someone who asks for more at a time than they may. */
export const tooManyAtOnce = ({ message, retryAfterSeconds }: TooManyAtOnce): DataError =>
  new DataError(429, '54000', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });

/** For the log of requests: no one reads it. */
export const callerGone = (): DataError => new DataError(499, '57014', 'canceling statement due to user request');

/** More rows than one request may insert. */
export const tooManyRows = (most: number): DataError =>
  new DataError(400, '54000', `A request may insert at most ${most} rows`, { hint: 'Send several requests.' });

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
