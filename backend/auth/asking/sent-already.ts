import type { AskForLink } from '#backend/auth/ask-for-link.ts';
import type { AuthError } from '#backend/auth/auth-error.ts';
import type { AuthContext } from '#backend/auth/context.ts';
import { type Excess, inWords, tooMany } from '#backend/auth/rate-limit.ts';
import { lockUser, type UserRow } from '#backend/auth/users.ts';
import { joinOwnMail } from './mail-of-network.ts';
import type { Place } from './networks.ts';

/**
 * The refusal to send another mail now. Where one that still works is on its way, the browser that asks may finish with it, and the
 * refusal says when it was sent: `sharedSince`, or the last one of its own network. Who may not learn of accounts is told nothing.
 */
export async function sentAlready(
  context: AuthContext,
  user: Pick<UserRow, 'id'> | undefined,
  place: Place,
  ask: AskForLink,
  excess: Excess,
  sharedSince?: Date,
): Promise<AuthError> {
  const since = sharedSince ?? (user && (await join(context, user.id, place, ask)));
  if (!since || ask.discreet) return tooMany(excess);
  return tooMany(excess, `A link was sent ${agoInWords(since)} and still works, also in this browser.`);
}

const join = ({ db }: AuthContext, userId: string, place: Place, ask: AskForLink): Promise<Date | undefined> =>
  db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    return joinOwnMail(tx, { ...ask, userId }, place);
  });

/** `12 seconds ago`. */
export function agoInWords(since: Date): string {
  return `${inWords(Math.max(1, Math.floor((Date.now() - since.getTime()) / 1000)))} ago`;
}
