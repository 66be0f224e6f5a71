import type { Context, Hono } from 'hono';
import type { z } from 'zod/mini';
import type { DataOf, Endpoint, Schema } from '#contract/endpoint.ts';
import { RUN_HEADER } from '#contract/work/runs.ts';
import { defaultMessage } from '#contract/zod-messages.ts';
import type { RequestLimit } from '#db/limits/count-requests.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { isStorable } from '#db/values/storable.ts';
import { answerApart } from '#server/apart/answer-apart.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { API_LIMITS, limitOf, waitsForOthers } from '#server/limits/api-limits.ts';
import { countRequest } from '#server/limits/count-requests.ts';
import { authenticate } from './authenticate.ts';
import { compressAnswers } from './compress-answers.ts';
import type { Ctx, PublicCtx } from './context.ts';
import type { Admit, HttpEnv } from './http-env.ts';
import { readJsonBody } from './json-body.ts';
import { whileRead } from './while-read.ts';

type Parsed<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined;
export type Input<E extends Endpoint> = { body: Parsed<E['body']>; query: Parsed<E['query']> };
/** `c` is for what concerns HTTP only, such as a cookie. */
export type Handler<E extends Endpoint, C> = (ctx: C, input: Input<E>, c: Context<HttpEnv>) => Promise<DataOf<E>>;

type Served<E extends Endpoint> = { endpoint: E; handler: Handler<E, Ctx> };

/** Serves an endpoint to signed-in users, or to admins only where the contract says so. */
export function route<E extends Endpoint>(app: Hono<HttpEnv>, deps: Deps, endpoint: E, handler: Handler<E, Ctx>): void {
  // Reads by GET are compressed already, with the downloads (server/wiring/product-routes.ts).
  if (endpoint.reads && endpoint.method !== 'GET') app.on(endpoint.method, endpoint.path, compressAnswers);
  app.on(endpoint.method, endpoint.path, answering(deps, { endpoint, handler }));
}

/** One of several endpoints of one address, and whether a body means it. */
export const meantBy = <E extends Endpoint>(isMeant: (body: unknown) => boolean, served: Served<E>) => ({
  isMeant,
  served: (deps: Deps) => answering(deps, served),
});

/** Serves several endpoints at one address. The body decides which one is meant; `other` serves a body that means none. */
export function routeByBody<E extends Endpoint>(
  app: Hono<HttpEnv>,
  deps: Deps,
  special: readonly ReturnType<typeof meantBy>[],
  other: Served<E>,
): void {
  const answers = special.map(({ isMeant, served }) => ({ isMeant, answer: served(deps) }));
  const answerOther = answering(deps, other);
  app.on(other.endpoint.method, other.endpoint.path, async (c) => {
    // A body that cannot be read is refused by any of them, once the caller is known.
    const body = await readJsonBody(c).catch(() => undefined);
    return (answers.find(({ isMeant }) => isMeant(body))?.answer ?? answerOther)(c);
  });
}

const answering =
  <E extends Endpoint>(deps: Deps, { endpoint, handler }: Served<E>) =>
  async (c: Context<HttpEnv>) => {
    const { ctx, input } = await callOf(deps, endpoint, c, limitOf(endpoint, c.req.query()));
    const apart = await answerApart(endpoint, ctx, input, c);
    if (apart) return apart;
    const data = await (endpoint.reads ? whileRead(ctx.signal, () => handler(ctx, input, c)) : handler(ctx, input, c));
    return send(endpoint, data, c);
  };

/** Serves an endpoint to anyone. */
export function publicRoute<E extends Endpoint>(
  app: Hono<HttpEnv>,
  deps: Deps,
  endpoint: E,
  handler: Handler<E, PublicCtx>,
): void {
  if (endpoint.access !== 'public') throw new Error(`${endpoint.path} is not public in the contract.`);
  app.on(endpoint.method, endpoint.path, async (c) =>
    send(endpoint, await handler(publicCtx(deps, c), await readInput(endpoint, c), c), c),
  );
}

function send<E extends Endpoint>(endpoint: E, answer: DataOf<E>, c: Context<HttpEnv>): Response {
  // Parsing the answer keeps columns that the contract does not name from ever reaching a client.
  const data = endpoint.data.parse(answer);
  c.header('Cache-Control', 'no-store');
  return c.json({ success: true, data });
}

/**
 * Returns who calls an endpoint, and with what input.
 * @throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, VALIDATION_FAILED, FRESH_PROOF_REQUIRED
 */
export async function callOf<E extends Endpoint>(
  deps: Deps,
  endpoint: E,
  c: Context<HttpEnv>,
  limit: RequestLimit,
): Promise<{ ctx: Ctx; input: Input<E> }> {
  const ctx = await userCtx(deps, c, limit, waitsForOthers(endpoint) ? 'only counted' : undefined);
  if (endpoint.access === 'admin' && ctx.user.role !== 'admin')
    throw new AppError('FORBIDDEN', 'Only administrators can do this.');
  // Read first: a request that cannot be done asks no one for proof.
  const input = await readInput(endpoint, c);
  if (endpoint.freshProof && !ctx.user.isFresh)
    throw new AppError('FRESH_PROOF_REQUIRED', 'Your last sign-in was a while ago. Confirm your identity first.');
  return { ctx, input };
}

/**
 * Counts the request under the user's `limit`, or under the network's when no one is signed in.
 * @throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED
 */
async function userCtx(deps: Deps, c: Context<HttpEnv>, limit: RequestLimit, how: Parameters<Admit>[1]): Promise<Ctx> {
  const ctx = publicCtx(deps, c);
  const known = c.get('caller');
  if (known) return { ...ctx, user: known };
  const admit = async (userId: string) => c.get('admit')?.(userId, how);
  const user = await authenticate(deps, c.req.header('authorization'), admit).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code !== 'RATE_LIMITED')
      await countRequest(deps, [API_LIMITS.unauthenticated, networkOf(ctx.ip)]);
    throw error;
  });
  await countRequest(deps, [limit, user.userId]);
  return { ...ctx, user };
}

/** The context of a request that needs no one to be signed in. */
export const publicCtx = (deps: Deps, c: Context<HttpEnv>): PublicCtx => ({
  deps,
  requestId: c.get('requestId'),
  log: c.get('log'),
  signal: c.req.raw.signal,
  ip: deps.clientIp(c),
  tellRun: (runId) => c.header(RUN_HEADER, runId),
});

async function readInput<E extends Endpoint>(endpoint: E, c: Context<HttpEnv>): Promise<Input<E>> {
  const body = endpoint.body ? check(endpoint.body, await readJsonBody(c)) : undefined;
  const query = endpoint.query ? check(endpoint.query, { ...c.req.query(), ...c.req.param() }) : undefined;
  return { body, query } as Input<E>;
}

/** A sentence of our own that names what it is about. Any other message needs the name of the field before it. */
const SAYS_OF_WHAT = /^(?!(?:String|Number|Array) must ).* must /;

function check(schema: Schema, value: unknown): unknown {
  const result = schema.safeParse(value, { error: defaultMessage });
  if (result.success) {
    if (isStorable(result.data)) return result.data;
    throw new AppError('VALIDATION_FAILED', 'The text has characters that cannot be stored. Type it again.');
  }
  const issue = result.error.issues[0];
  const field = issue?.path.join('.');
  const message = issue?.message ?? 'The request is not valid.';
  throw new AppError('VALIDATION_FAILED', field && !SAYS_OF_WHAT.test(message) ? `${field}: ${message}` : message);
}
