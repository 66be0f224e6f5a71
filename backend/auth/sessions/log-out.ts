import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { authenticate } from '#backend/auth/people/authenticate.ts';

/**
 * Ends this session (`local`), all but this one (`others`) or all (`global`, also when nothing is said).
 * @throws AuthError
 */
export async function logOut(
  context: AuthContext,
  request: Request,
  scope: string,
  { ip }: Pick<Caller, 'ip'>,
): Promise<void> {
  const session = await authenticate(context, request);
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw new AuthError(400, 'validation_failed', 'scope must be global, local or others');
  await context.db.transaction().execute(async (tx) => {
    let sessions = tx.deleteFrom('auth.sessions').where('user_id', '=', session.userId);
    if (scope === 'local') sessions = sessions.where('id', '=', session.sessionId);
    if (scope === 'others') sessions = sessions.where('id', '<>', session.sessionId);
    await sessions.execute();
    await context.onEvent(tx, { type: 'signed_out', userId: session.userId, scope, ip });
  });
}
