import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import type { Authenticated } from '#backend/auth/people/authenticate.ts';
import { dropFactor, lockFactor, typeOf } from './factors.ts';
import { lockSession } from './step-up.ts';

/**
 * Takes a factor away.
 * @throws AuthError of `lockFactor`; for a verified one 422 `insufficient_aal` without proof of one, and those of `requireFresh`.
 */
export async function unenrollFactor(
  context: AuthContext,
  session: Authenticated,
  factorId: string,
  { ip }: Caller,
): Promise<{ id: string }> {
  const removed = await context.db.transaction().execute(async (tx) => {
    const current = await lockSession(tx, session);
    const factor = await lockFactor(tx, session.userId, factorId);
    const verified = factor.status === 'verified';
    if (verified && current.aal !== 'aal2')
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
    if (verified) requireFresh(session);
    await dropFactor(tx, factor);
    if (verified)
      await context.onEvent(tx, { type: 'factor_removed', userId: session.userId, factor: typeOf(factor), ip });
    return { id: factor.id, verified, type: typeOf(factor) };
  });
  if (removed.verified)
    notifyOwner(
      context,
      { id: session.userId, email: session.email },
      { type: 'factor_removed', factor: removed.type },
    );
  return { id: removed.id };
}
