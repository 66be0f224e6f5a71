import type { Deps } from '#server/deps.ts';
import { AppError, accessDenied } from '#server/lib/app-error.ts';
import type { CurrentUser } from './context.ts';

/**
 * Returns who sent this request. Its session must still exist and its owner be active, so that signing out and disabling work at once.
 * - Role and status come from profiles, never from the token.
 * - `admit`: waited for before the database is asked.
 * @throws UNAUTHENTICATED, FORBIDDEN, and what `admit` throws.
 * @throws SECOND_STEP_REQUIRED where a second factor is to be proven first.
 */
export async function authenticate(
  deps: Pick<Deps, 'accounts' | 'verifyAccessToken'>,
  authorization: string | undefined,
  admit: (userId: string) => Promise<void> = async () => {},
): Promise<CurrentUser> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new AppError('UNAUTHENTICATED', 'Not authenticated');
  const claims = await deps.verifyAccessToken(token);
  if (!claims) throw new AppError('UNAUTHENTICATED', 'Not authenticated');
  await admit(claims.userId);
  const session = await deps.accounts.findSession(claims);
  if (!session || session.userId !== claims.userId) throw new AppError('UNAUTHENTICATED', 'Not authenticated');
  if (session.status !== 'active') throw accessDenied();
  if (session.needsSecondStep && claims.aal !== 'aal2')
    throw new AppError('SECOND_STEP_REQUIRED', 'Two-step sign-in is required here. Complete your second step first.');
  return {
    userId: session.userId,
    sessionId: claims.sessionId,
    email: session.email,
    role: session.role,
    aal: claims.aal,
    isFresh: session.isFresh,
  };
}
