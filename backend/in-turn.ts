import type { Context } from 'hono';
import type { Caller } from '#backend/data/caller.ts';
import type { TurnLimits, Turns, Waiting } from '#db/turns/turns.ts';
import { untilRead } from '#db/turns/until-read.ts';
import { networkOf } from '#db/values/ip-network.ts';

/** What one person, or one network of strangers, may have at a time of the data API and Storage. */
export const BACKEND_TURNS: TurnLimits = { atWork: 2, open: 64, patienceMs: 10_000, heavyMs: 100 };

/** What one person may have at a time of sign-in, whose connections are few. */
export const AUTH_TURNS: TurnLimits = { atWork: 2, open: 64, patienceMs: 10_000 };

/**
 * Works on a request when its caller has a turn. The request counts as open until its answer has been read. Who is not signed in shares
 * the turns of a network; the service has no limit.
 * - `work` is told whether its caller's last requests were heavy, and waits by `waiting` for what others may hold up.
 * - `how`: `only counted` for what may take long without the database.
 * @throws TooManyAtOnce and CallerGone.
 */
export type InTurn = (
  c: Context,
  caller: Caller,
  work: (isHeavy: boolean, waiting: Waiting) => Promise<Response>,
  how?: 'only counted',
) => Promise<Response>;

const uncounted: Waiting = (wait) => wait();

export function createInTurn(turns: Turns, clientIp: (request: Request) => string): InTurn {
  return async (c, caller, work, how) => {
    if (caller.role === 'service_role') return work(false, uncounted);
    const who = caller.role === 'authenticated' ? caller.userId : networkOf(clientIp(c.req.raw));
    const leave = turns.enter(who);
    try {
      const end = how === 'only counted' ? undefined : await turns.take(who, c.req.raw.signal);
      try {
        return await work(turns.isHeavy(who), end?.waiting ?? uncounted);
      } finally {
        end?.();
      }
    } finally {
      untilRead(c.env, leave);
    }
  };
}
