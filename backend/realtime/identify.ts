import type { VerifiedToken } from '#backend/data/caller.ts';
import { isExpired } from '#backend/data/caller.ts';
import { findSession } from '#db/roles/sessions.ts';
import type { Hub } from './hub.ts';
import { Refusal } from './refusal.ts';

/** Someone with a living session, and when their token ends, in ms since 1970. */
export type Identified = { caller: VerifiedToken; expiresAt: number };

/**
 * Who a token stands for.
 * @throws Refusal for a token that is none of ours, has expired, or whose session opens nothing
 */
export const identify = async (
  hub: Pick<Hub, 'db' | 'verifyAccessToken'>,
  token: string | null | undefined,
): Promise<Identified> => withSession(hub, await verify(hub, token));

/**
 * Whose name a token carries, without asking the database.
 * @throws Refusal for a token that is none of ours or has expired
 */
export async function verify(
  { verifyAccessToken }: Pick<Hub, 'verifyAccessToken'>,
  token: string | null | undefined,
): Promise<VerifiedToken> {
  const caller = token ? await verifyAccessToken(token) : undefined;
  if (!caller) {
    if (token && isExpired(token)) throw new Refusal('InvalidJWTToken', 'Token has expired');
    throw new Refusal('Unauthorized', 'Please sign in to use this channel');
  }
  return caller;
}

/** @throws Refusal for someone whose session opens nothing */
export async function withSession({ db }: Pick<Hub, 'db'>, caller: VerifiedToken): Promise<Identified> {
  const session = await findSession(db, caller.sessionId);
  if (session?.userId !== caller.userId || session.status !== 'active')
    throw new Refusal('Unauthorized', 'This session has ended. Please sign in again.');
  if (session.needsSecondStep && caller.claims.aal !== 'aal2')
    throw new Refusal('Unauthorized', 'Two-step sign-in is required here. Complete your second step first.');
  return { caller, expiresAt: Number(caller.claims.exp ?? 0) * 1_000 };
}
