import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Pool } from 'pg';
import { createAuthApp } from './auth/app.ts';
import type { AuthOptions } from './auth/options.ts';
import { createDataApp, type DataAppOptions } from './data/app.ts';

export type BackendOptions = Omit<AuthOptions, 'clientIp'> & {
  /** Connections of a role that may become anon and authenticated. */
  pool: Pool;
  /** Identifies the application; every call carries it in `apikey`. It opens nothing by itself. */
  publishableKey: string;
  /** Publishable keys of pages that were opened before it changed; they work for the time being. */
  formerKeys?: readonly string[];
  verifyAccessToken: DataAppOptions['verifyAccessToken'];
  /** Origins whose pages may call from a browser, besides the one that serves this. */
  allowedOrigins: readonly string[];
  /** The address that limits are counted for. */
  clientIp(c: Context): string;
  /** Must listen on the channel `pgrst`. */
  notifications?: NonNullable<DataAppOptions['notifications']>;
};

/** People arrive here by a link, or programs before they know the key. */
const KEYLESS = ['/auth/v1/verify', '/auth/v1/health', '/auth/v1/.well-known/jwks.json'];

/** The embedded Supabase-compatible backend: answers everything under /auth/v1 and /rest/v1, and nothing else. */
export function createBackend(options: BackendOptions): Hono {
  const { pool, publishableKey, verifyAccessToken, log, notifications } = options;
  const keys = new Set([publishableKey, ...(options.formerKeys ?? [])]);
  const ips = new WeakMap<Request, string>();
  const app = new Hono();

  for (const path of ['/auth/v1/*', '/rest/v1/*']) {
    app.use(path, corsFor(options.allowedOrigins));
    app.use(path, async (c, next) => {
      const refusal = checkKey(c, keys);
      if (refusal) return refusal;
      ips.set(c.req.raw, options.clientIp(c));
      return next();
    });
  }
  app.route('/auth/v1', createAuthApp({ ...options, clientIp: (request) => ips.get(request) ?? 'unknown' }));
  const data = { pool, publishableKey, verifyAccessToken, log, ...(notifications ? { notifications } : {}) };
  app.route('/rest/v1', createDataApp(data));
  // The hosted service's other parts: a client that tries them gets JSON, not the page.
  for (const part of ['storage', 'functions', 'realtime', 'graphql']) {
    app.all(`/${part}/v1/*`, (c) => c.json({ message: `${part} is not offered here` }, 404));
  }
  return app;
}

/** Calls of pages that are served elsewhere. The others name no origin, and need nothing but the word that it matters. */
function corsFor(allowedOrigins: readonly string[]): MiddlewareHandler {
  const answerOrigin = cors({
    origin: (origin) => (allowedOrigins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [
      'Content-Range',
      'Preference-Applied',
      'Retry-After',
      'X-Request-Id',
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

/** The answers of the hosted gateway. */
function checkKey(c: Context, keys: ReadonlySet<string>): Response | undefined {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (reads && KEYLESS.includes(c.req.path)) return undefined;
  const given = c.req.header('apikey') ?? c.req.query('apikey');
  if (given !== undefined && keys.has(given)) return undefined;
  const body = given
    ? { message: 'Invalid API key', hint: 'Double check the publishable key in /config.json.' }
    : { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' };
  return c.json(body, 401);
}
