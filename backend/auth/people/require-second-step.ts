import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';

/**
 * Anyone who only reads the mailbox of someone with a factor must not make the account theirs.
 * @throws AuthError 401 `insufficient_aal` when the session has not proven the factor; `what` is what was to be done.
 */
export async function requireSecondStep(
  { db }: Pick<AuthContext, 'db'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  what: string,
): Promise<void> {
  const unproven = await db
    .selectFrom('auth.sessions as session')
    .innerJoin('auth.mfa_factors as factor', 'factor.user_id', 'session.user_id')
    .select('factor.id')
    .where('session.id', '=', sessionId)
    .where('session.user_id', '=', userId)
    .where('session.aal', '=', 'aal1')
    .where('factor.status', '=', 'verified')
    .executeTakeFirst();
  if (unproven)
    throw new AuthError(401, 'insufficient_aal', `AAL2 session is required to ${what} when MFA is enabled.`);
}
