import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { LinkRequest } from '#backend/auth/links/link-request.ts';
import { lockUser, type UserRow } from '#backend/auth/people/users.ts';
import { joinMails } from './mail-of-network.ts';
import type { Place } from './networks.ts';

/** When the newest link went out that the browser which asks may now finish with; undefined where none is on its way. */
export function joinWhatWasSent(
  { db }: AuthContext,
  user: Pick<UserRow, 'id'>,
  place: Place,
  ask: LinkRequest,
): Promise<Date | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id);
    return joinMails(tx, { ...ask, userId: user.id }, place);
  });
}
