import { type Context, Hono } from 'hono';

export type FunctionsOptions = {
  /** The path at which this server has a function; undefined where there is none of that name. */
  pathOf(name: string): string | undefined;
  /** Handles `request`, which came as the request of `c` and bears the function's own address. */
  call(request: Request, c: Context): Promise<Response>;
};

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What `functions.invoke` calls, to be mounted at /functions/v1. What follows a function's name is the function's to understand. */
export function createFunctionsApp({ pathOf, call }: FunctionsOptions): Hono {
  const app = new Hono();
  app.all('*', async (c) => {
    const url = new URL(c.req.url);
    // As it was sent: what is escaped stays escaped.
    const [, name = '', rest = ''] = /^\/functions\/v1\/([^/]*)(.*)$/.exec(url.pathname) ?? [];
    const path = pathOf(name);
    if (path === undefined) return refuse(c, 404, 'NOT_FOUND', 'Requested function was not found');
    if (!METHODS.includes(c.req.method)) return refuse(c, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed');
    url.pathname = path + rest;
    const request = new Request(url, c.req.raw);
    const answer = await call(request, c);
    // What was not read of a body would be taken for the next request.
    if (request.body && !request.bodyUsed) answer.headers.set('Connection', 'close');
    return answer;
  });
  return app;
}

/** The gateway's own refusals; those of a function have the function's shape. */
function refuse(c: Context, status: 404 | 405, code: string, message: string): Response {
  c.header('sb-error-code', code);
  return c.json({ code, message }, status);
}
