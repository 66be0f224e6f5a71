import type { MiddlewareHandler } from 'hono';
import { TooManyAtOnce, type TurnLimits, type Turns } from '#db/turns/turns.ts';
import { untilRead } from '#db/turns/until-read.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { HttpEnv } from './http-env.ts';

/**
 * What one person may have of the product API at a time. A request that waits for a run counts as open, and not as worked on.
 * A browser has six connections; behind HTTP/2, a dozen tabs that load at once have some sixty requests.
 */
export const PRODUCT_TURNS: TurnLimits = { atWork: 4, open: 128, patienceMs: 10_000, heavyMs: 250 };

/** Gives every request its `admit`. A request counts as open until its answer has been read. */
export function personTurns(turns: Turns): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const leaves: (() => void)[] = [];
    const ends: (() => void)[] = [];
    c.set('admit', async (userId, how) => {
      try {
        leaves.push(turns.enter(userId));
        if (how !== 'only counted') ends.push(await turns.take(userId, c.req.raw.signal));
      } catch (error) {
        if (!(error instanceof TooManyAtOnce)) throw error;
        throw new AppError('RATE_LIMITED', error.message, { retryAfterSeconds: error.retryAfterSeconds });
      }
    });
    try {
      await next();
    } finally {
      for (const end of ends) end();
      untilRead(c.env, () => {
        for (const leave of leaves) leave();
      });
    }
  };
}
