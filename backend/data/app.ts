import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Pool } from 'pg';
import type { InTurn } from '#backend/in-turn.ts';
import { limitBody } from '#db/values/limit-body.ts';
import { answer } from './answer.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { type Caller, callerOf, type VerifyAccessToken } from './caller.ts';
import { createCatalogue } from './catalogue.ts';
import { badBody, DataError } from './errors/data-error.ts';
import { toDataError } from './errors/pg-error.ts';
import { refuseFunction } from './functions.ts';
import { planRequest, requirePublicSchema } from './plan.ts';
import { waitingFor } from './transaction.ts';

export type DataAppOptions = {
  /** Connections of a role that may become anon and authenticated. */
  pool: Pool;
  /** The same for reads of people whose last ones were heavy. */
  slowPool: Pool;
  verifyAccessToken: VerifyAccessToken;
  /** Sent by supabase-js as the bearer token of anyone who is not signed in. */
  publishableKey: string;
  /** Whether a request came with the secret key, and in no one else's name: row-level security does not hold for it. */
  isService(request: Request): boolean;
  inTurn: InTurn;
  log: { error(details: object, message: string): void };
  /** Where `NOTIFY pgrst` is heard; it makes tables and columns be read again. */
  notifications?: { on(channel: string, handler: () => void): unknown };
};

type DataEnv = { Variables: { isService: boolean } };
export type DataApp = Hono<DataEnv>;

/** The tables of schema public in PostgREST's protocol, to be mounted at /rest/v1. */
export function createDataApp(options: DataAppOptions): DataApp {
  const { pool, slowPool, verifyAccessToken, publishableKey, isService, inTurn, log, notifications } = options;
  const catalogue = createCatalogue(pool);
  notifications?.on('pgrst', () => catalogue.forget());

  const refuse = (c: Context, error: unknown, role: Caller['role']) => {
    const refusal = toDataError(error, role);
    // The catalogue named something that is gone.
    if (refusal.code === '42P01' || refusal.code === '42703') catalogue.forget();
    // A read that took too long is the caller's, and the line of the request tells of it.
    if (refusal.status >= 500 && refusal.code !== '57014')
      log.error({ err: error, code: refusal.code }, 'data API request failed');
    for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value);
    return c.body(JSON.stringify(refusal.body()), refusal.status as ContentfulStatusCode, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  };

  const callerIn = async (c: Context<DataEnv>): Promise<Caller> =>
    c.get('isService')
      ? { role: 'service_role' }
      : callerOf(c.req.header('Authorization'), publishableKey, verifyAccessToken);

  const app: DataApp = new Hono();
  // Before anything replaces the request.
  app.use((c, next) => {
    c.set('isService', isService(c.req.raw));
    return next();
  });
  app.onError((error, c) => refuse(c, error, 'authenticated'));
  app.on(
    ['POST', 'PUT', 'PATCH', 'DELETE'],
    '*',
    limitBody(MAX_BODY_BYTES, (c) => {
      c.header('Connection', 'close');
      return refuse(c, badBody('The request body is larger than 1 MB', 413), 'anon');
    }),
  );
  app.all('/rpc/:name', async (c) => {
    const caller = await callerIn(c);
    return refuse(c, await refuseFunction(c.req.raw, c.req.param('name')), caller.role);
  });
  app.all('/:table', async (c) => {
    const caller = await callerIn(c);
    try {
      return await inTurn(c, caller, async (isHeavy, waiting) => {
        requirePublicSchema(c.req.raw);
        const table = await catalogue.table(c.req.param('table'));
        const plan = await planRequest(c.req.raw, table);
        // Writes hold locks that others may wait for.
        const from = isHeavy && plan.verb === 'read' ? slowPool : pool;
        return answer(c, waitingFor(from, waiting), caller, plan);
      });
    } catch (error) {
      return refuse(c, error, caller.role);
    }
  });
  app.all('*', (c) => {
    const noPath = c.req.path === '/rest/v1/';
    const error = noPath
      ? new DataError(404, 'PGRST126', 'Root endpoint metadata is disabled')
      : new DataError(404, 'PGRST125', 'Invalid path specified in request URL');
    return refuse(c, error, 'anon');
  });
  return app;
}
