import { AuthError } from '#backend/auth/auth-error.ts';
import type { AuthContext, Caller } from '#backend/auth/context.ts';
import { dropFactor, lockFactor, typeOf } from './factors.ts';
import { lockSession } from './step-up.ts';

/** Takes a factor away. Throws AuthError: those of `lockFactor`, 422 `insufficient_aal` for a verified one without proof of one. */
export async function unenrolFactor(
  context: AuthContext,
  session: { userId: string; sessionId: string },
  factorId: string,
  { ip }: Caller,
): Promise<{ id: string }> {
  return context.db.transaction().execute(async (tx) => {
    const current = await lockSession(tx, session);
    const factor = await lockFactor(tx, session.userId, factorId);
    const verified = factor.status === 'verified';
    if (verified && current.aal !== 'aal2')
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
    await dropFactor(tx, factor);
    if (verified)
      await context.onEvent(tx, { type: 'factor_removed', userId: session.userId, factor: typeOf(factor), ip });
    return { id: factor.id };
  });
}
