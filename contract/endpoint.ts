import { z } from 'zod/mini';

export type Schema<T = unknown> = z.ZodMiniType<T>;

/**
 * One call between browser and server. What the path names (`/api/runs/:id`) is part of `query`. `data` describes what stands
 * under `data` in a successful answer.
 */
export type Endpoint<
  Body extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Data extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/api/${string}`;
  /** Who may call it: anyone, any active signed-in user, or admins only. */
  access: 'public' | 'user' | 'admin';
  /** Whether the caller must have signed in, or shown again that it is them, a moment ago: else FRESH_PROOF_REQUIRED. */
  freshProof: boolean;
  /** Whether it only reads our database. Such a call ends with its caller or after some seconds, and its answer is compressed. */
  reads: boolean;
  /**
   * What its work grows with. Where that is long, a process of its own does it, so that others do not wait.
   * - `verdicts`: a list, where verdicts on calls are asked for.
   */
  growsWith: 'list' | 'verdicts' | 'account' | 'body' | undefined;
  body: Body;
  query: Query;
  data: Data;
};

type Description<Body, Query, Data> = {
  method: Endpoint['method'];
  path: Endpoint['path'];
  access?: Endpoint['access'];
  freshProof?: boolean;
  reads?: boolean;
  growsWith?: Endpoint['growsWith'];
  body?: Body;
  query?: Query;
  data: Data;
};

/** Describes an endpoint once; the form, the client and the server import this one description. */
export function endpoint<
  Data extends Schema,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
>(description: Description<Body, Query, Data>): Endpoint<Body, Query, Data> {
  const { method, path, access = 'user', freshProof = false, reads = false, growsWith, data } = description;
  const [body, query] = [description.body as Body, description.query as Query];
  return { method, path, access, freshProof, reads, growsWith, body, query, data };
}

export type BodyOf<E extends Endpoint> = E['body'] extends Schema ? z.input<E['body']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends Schema ? z.input<E['query']> : undefined;
export type DataOf<E extends Endpoint> = z.output<E['data']>;

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';

/** Ids of leads, separated by commas. */
export const upTo100Ids = z
  .string()
  .check(z.regex(new RegExp(`^${UUID}(?:,${UUID}){0,99}$`), 'Send the ids of 1 to 100 leads.'));

/** An id as the spec's client may send it: number or string. */
export const looseId = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(100)), z.number()]),
  z.transform((id) => String(id)),
);

const NO_NUMBER = 'Enter 0 or more.';

/** A non-negative number as the spec's client may send it: number or string of digits. */
export const looseNumber = z.pipe(
  z.union(
    [z.number().check(z.nonnegative(NO_NUMBER)), z.string().check(z.regex(/^\s*\d+(\.\d+)?\s*$/, NO_NUMBER))],
    NO_NUMBER,
  ),
  z.transform((value) => Number(value)),
);
