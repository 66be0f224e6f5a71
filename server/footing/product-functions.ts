import type { Hono } from 'hono';
import { ErrorBody, type ErrorCode } from '#contract/errors.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { goOnInside } from '#server/http/request-scope.ts';

const PREFIX = '/api/';
const UNREACHABLE: ErrorCode = 'UNAVAILABLE';

/**
 * Returns the product API as functions of the backend. `appOf` is asked once the app is there.
 * A function is named as its path below /api/, with hyphens for slashes:
 * - `enrich-emails` is /api/enrich/emails
 * - `runs` followed by an id is /api/runs/:id
 */
export function productFunctions(appOf: () => Hono<HttpEnv>) {
  let paths: Map<string, string> | undefined;
  return {
    pathOf(name: string): string | undefined {
      paths ??= pathsOf(appOf());
      return paths.get(name);
    },
    /** Within the request that it came with, so that one search in the log finds both lines. */
    async call(request: Request, c: { env: unknown }): Promise<Response> {
      goOnInside(request);
      const response = await appOf().fetch(request, c.env as object);
      if (await wasNotReached(response)) response.headers.set('x-relay-error', 'true');
      return response;
    },
  };
}

function pathsOf(app: Hono<HttpEnv>): Map<string, string> {
  const named = app.routes.map(({ path }) => path).filter((path) => path.startsWith(PREFIX) && !path.includes('*'));
  const fixed = named.map((path) => path.replace(/\/:.*$/, ''));
  return new Map(fixed.map((path) => [path.slice(PREFIX.length).replaceAll('/', '-'), path]));
}

/** Without its database no function does anything: that is not an answer of the function's own. */
async function wasNotReached(response: Response): Promise<boolean> {
  if (response.status !== 503) return false;
  const refusal = ErrorBody.safeParse(await response.clone().json());
  return refusal.data?.error === UNREACHABLE;
}
