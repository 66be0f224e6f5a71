import type { Context, Hono } from 'hono';
import type { HttpEnv } from './http-env.ts';
import { goOnInside } from './request-scope.ts';

/** What a request that is sent inside takes along from the one that it is made for. */
const PASSED_ON = ['authorization', 'apikey', 'x-forwarded-for'];

/** A request of the browser's own kind: with a body of JSON it is a POST. */
type Inside = { address: string; body?: string };

/** Returns what sends requests to the app itself, as the one who sent `c`: each is authenticated, limited and logged like any other. */
export const sendInside =
  (app: Hono<HttpEnv>, c: Context<HttpEnv>) =>
  async ({ address, body }: Inside, signal: AbortSignal): Promise<Response> => {
    const headers = new Headers({ accept: 'application/json' });
    for (const name of PASSED_ON) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    if (body !== undefined) headers.set('content-type', 'application/json');
    const init = body === undefined ? {} : { method: 'POST', body };
    const request = new Request(new URL(address, c.req.url), { ...init, headers, signal });
    goOnInside(request);
    return app.fetch(request, c.env);
  };
