import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses bodies above a size. `tooLarge` answers or throws, with `Connection: close`: the rest of the body is not read.
 * Where the length is announced, Hono's own would open the body to look whether there is one. A body that was opened and never read is
 * not drained, so after any refusal its connection breaks under the next request. Behind a proxy that is someone else's.
 */
export function limitBody(maxSize: number, tooLarge: (c: Context) => Response | Promise<Response>): MiddlewareHandler {
  const measured = bodyLimit({ maxSize, onError: tooLarge });
  return async (c, next) => {
    const announced = c.req.header('Content-Length');
    if (announced === undefined || c.req.header('Transfer-Encoding') !== undefined) return measured(c, next);
    return Number(announced) > maxSize ? tooLarge(c) : next();
  };
}
