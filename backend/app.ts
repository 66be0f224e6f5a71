import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Pool } from 'pg';
import { createTurns, TooManyAtOnce } from '#db/turns/turns.ts';
import { createAuthApp } from './auth/app.ts';
import { AuthError, errorResponse } from './auth/kit/auth-error.ts';
import type { AuthOptions } from './auth/kit/options.ts';
import { hashOfToken, sameBytes } from './auth/kit/secrets.ts';
import { createDataApp, type DataAppOptions } from './data/app.ts';
import { callerOf } from './data/caller.ts';
import { createFunctionsApp, type FunctionsOptions } from './functions/app.ts';
import { AUTH_TURNS, BACKEND_TURNS, createInTurn } from './in-turn.ts';
import { createBroadcastApp } from './realtime/broadcast-app.ts';
import type { Realtime } from './realtime/realtime.ts';
import { createStorageApp, OPEN_PATHS } from './storage/app.ts';
import type { StorageOptions } from './storage/call.ts';
import type { FileStore } from './storage/file-store.ts';

export type BackendOptions = Omit<AuthOptions, 'clientIp' | 'isService'> & {
  /** Connections of a role that may become anon and authenticated. Only the data API and Storage take them. */
  pool: Pool;
  /** The same for reads of people whose last ones were heavy. */
  slowPool: Pool;
  /** Identifies the application; every call carries it in `apikey`. It opens nothing by itself. */
  publishableKey: string;
  /** Publishable keys of pages that were opened before it changed; they work for the time being. */
  formerKeys?: readonly string[];
  /** Opens everything to anyone who holds it: the admin API, and all rows of the data API. Without one neither is to be had. */
  secretKey?: string | undefined;
  verifyAccessToken: DataAppOptions['verifyAccessToken'];
  /** Origins whose pages may call from a browser, besides the one that serves this. */
  allowedOrigins: readonly string[];
  /** The address that limits are counted for. */
  clientIp(c: Context): string;
  /** Must listen on the channel `pgrst`. */
  notifications?: NonNullable<DataAppOptions['notifications']>;
  /** Where the bytes of objects are. Without it storage is not offered. */
  files?: FileStore;
  /** Why the bytes of an object are not handed out, in words. Undefined where they may be. */
  whyKept?: NonNullable<StorageOptions['whyKept']>;
  /** Without them no name is known. */
  functions?: FunctionsOptions;
  /** Its sockets are the server's to open; without it Realtime is not offered. */
  realtime?: Realtime;
};

/** People arrive here by a link, or programs before they know the key. */
const KEYLESS = [
  ...['/auth/v1/verify', '/auth/v1/authorize', '/auth/v1/callback'],
  ...['/auth/v1/health', '/auth/v1/.well-known/jwks.json'],
];

const NO_FUNCTIONS: FunctionsOptions = {
  pathOf: () => undefined,
  call: () => Promise.reject(new Error('There are no functions.')),
};

/** The embedded Supabase-compatible backend: answers everything below its parts' paths, /auth/v1 and the like, and nothing else. */
export function createBackendApp(options: BackendOptions): Hono {
  const { pool, slowPool, publishableKey, verifyAccessToken, log, notifications } = options;
  const keys = new Set([publishableKey, ...(options.formerKeys ?? [])]);
  const ips = new WeakMap<Request, string>();
  const services = new WeakSet<Request>();
  const app = new Hono();

  for (const path of ['/auth/v1/*', '/rest/v1/*', '/storage/v1/*', '/functions/v1/*', '/realtime/v1/*']) {
    app.use(path, corsFor(options.allowedOrigins));
    app.use(path, async (c, next) => {
      const secret = holdsSecret(c, options.secretKey);
      const refusal = secret ? refuseBrowsers(c) : checkKey(c, keys);
      if (refusal) return refusal;
      if (secret && actsForNobody(c)) services.add(c.req.raw);
      ips.set(c.req.raw, options.clientIp(c));
      return next();
    });
  }
  const isService = (request: Request) => services.has(request);
  const clientIp = (request: Request) => ips.get(request) ?? 'unknown';
  const inTurn = createInTurn(createTurns(BACKEND_TURNS), clientIp);
  const authTurn = createInTurn(createTurns(AUTH_TURNS), clientIp);
  app.use('/auth/v1/*', async (c, next) => {
    // Strangers are bounded by their limits, which are counted before anything else is done.
    const caller = await callerOf(c.req.header('Authorization'), publishableKey, verifyAccessToken).catch(
      () => undefined,
    );
    if (caller?.role !== 'authenticated' || isService(c.req.raw)) return next();
    try {
      await authTurn(c, caller, async () => {
        await next();
        return c.res;
      });
    } catch (error) {
      if (error instanceof TooManyAtOnce) return errorResponse(c.req.raw, tooManyOpen(error));
      throw error;
    }
  });
  app.route('/auth/v1', createAuthApp({ ...options, clientIp, isService }));
  const data = { pool, slowPool, publishableKey, verifyAccessToken, isService, inTurn, log };
  app.route('/rest/v1', createDataApp({ ...data, ...(notifications ? { notifications } : {}) }));
  const { files } = options;
  if (files) app.route('/storage/v1', createStorageApp({ ...options, files, clientIp, isService, inTurn }));
  app.route('/functions/v1', createFunctionsApp(options.functions ?? NO_FUNCTIONS));
  if (options.realtime) app.route('/realtime/v1', createBroadcastApp(options.realtime.hub, isService));
  // The hosted service's other parts: a client that tries them gets JSON, not the page.
  for (const part of ['storage', 'realtime', 'graphql']) {
    app.all(`/${part}/v1/*`, (c) => c.json({ message: `${part} is not offered here` }, 404));
  }
  return app;
}

const tooManyOpen = ({ message, retryAfterSeconds }: TooManyAtOnce) =>
  new AuthError(429, 'over_request_rate_limit', message, { 'Retry-After': String(retryAfterSeconds) });

/** Calls of pages that are served elsewhere. The others name no origin, and need nothing but the word that it matters. */
function corsFor(allowedOrigins: readonly string[]): MiddlewareHandler {
  const answerOrigin = cors({
    origin: (origin) => (allowedOrigins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [
      'Accept-Ranges',
      'Content-Range',
      'ETag',
      'Preference-Applied',
      'Retry-After',
      'X-Request-Id',
      'sb-error-code',
      'x-relay-error',
      'x-sb-error-code',
      'X-Supabase-Api-Version',
      'X-Total-Count',
    ],
    maxAge: 600,
  });
  return async (c, next) => {
    if (c.req.header('Origin') !== undefined) return answerOrigin(c, next);
    await next();
    c.res.headers.append('Vary', 'Origin');
  };
}

/** Compared by hashes, so that the time it takes tells nothing. Only ever from the header: addresses stand in logs. */
function holdsSecret(c: Context, secretKey: string | undefined): boolean {
  const given = c.req.header('apikey');
  return secretKey !== undefined && given !== undefined && sameBytes(hashOfToken(given), hashOfToken(secretKey));
}

/** Clients repeat the key where a person's token would stand; with such a token the request is that person's. */
function actsForNobody(c: Context): boolean {
  const authorization = c.req.header('Authorization');
  return authorization === undefined || authorization === `Bearer ${c.req.header('apikey')}`;
}

/** A page that holds the secret key has given it to all its visitors. */
function refuseBrowsers(c: Context): Response | undefined {
  if (!/^Mozilla\//.test(c.req.header('User-Agent') ?? '')) return undefined;
  const hint = 'Secret API keys can only be used in a protected environment. Exchange this one.';
  return c.json({ message: 'Forbidden use of secret API key in browser', hint }, 401);
}

/** The answers of the hosted gateway. */
function checkKey(c: Context, keys: ReadonlySet<string>): Response | undefined {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (reads && KEYLESS.includes(c.req.path)) return undefined;
  if ((reads || c.req.method === 'PUT') && OPEN_PATHS.test(c.req.path)) return undefined;
  const given = c.req.header('apikey') ?? c.req.query('apikey');
  if (given !== undefined && keys.has(given)) return undefined;
  const body = given
    ? { message: 'Invalid API key', hint: 'Double check the publishable key in /config.json.' }
    : { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' };
  return c.json(body, 401);
}
