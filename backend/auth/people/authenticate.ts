import { AuthError, sessionNotFound } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { isExpired } from '#backend/data/caller.ts';
import { findSession, type LiveSession } from '#db/roles/sessions.ts';

/** The caller and their session. */
export type Authenticated = LiveSession & { sessionId: string };

/**
 * The session of a request's bearer token.
 * @throws AuthError 401 `no_authorization`, 403 `bad_jwt` or `session_not_found`.
 */
export async function authenticate({ tokens, db, onActor }: AuthContext, request: Request): Promise<Authenticated> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  if (!bearer) throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const token = await tokens.verify(bearer);
  if (!token) throw badJwt(bearer);
  onActor?.(token.userId);
  const session = await findSession(db, token.sessionId);
  if (session?.userId !== token.userId) throw sessionNotFound();
  return { ...session, sessionId: token.sessionId };
}

/**
 * The same, for what the disabled and the banned may not do.
 * @throws AuthError 403 `user_banned` too.
 */
export async function authenticateActive(context: AuthContext, request: Request): Promise<Authenticated> {
  const session = await authenticate(context, request);
  if (session.status === 'disabled') throw new AuthError(403, 'user_banned', 'User is banned');
  return session;
}

/** Only chooses the words: a token that is not accepted is not believed in anything it says. */
function badJwt(token: string): AuthError {
  const why =
    token.split('.').length !== 3
      ? 'token is malformed: token contains an invalid number of segments'
      : isExpired(token)
        ? 'token has invalid claims: token is expired'
        : 'token signature is invalid: signature is invalid';
  return new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`);
}
