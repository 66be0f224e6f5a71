import { findSession, type LiveSession } from '#db/sessions.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './context.ts';

type Authenticated = LiveSession & { sessionId: string };

/** The session of a request's bearer token. Throws AuthError: 401 `no_authorization`, 403 `bad_jwt` or `session_not_found`. */
export async function authenticate({ tokens, db }: AuthContext, request: Request): Promise<Authenticated> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  if (!bearer) throw new AuthError(401, 'no_authorization', 'This endpoint requires a Bearer token');
  const token = await tokens.verify(bearer);
  if (!token) throw new AuthError(403, 'bad_jwt', 'invalid JWT: it is not ours, was altered, or has expired');
  const session = await findSession(db, token.sessionId);
  if (session?.userId !== token.userId)
    throw new AuthError(403, 'session_not_found', 'This session has ended. Please sign in again.');
  return { ...session, sessionId: token.sessionId };
}

/** The same, for what the disabled and the banned may not do. Throws AuthError 403 `user_banned` too. */
export async function authenticateActive(context: AuthContext, request: Request): Promise<Authenticated> {
  const session = await authenticate(context, request);
  if (session.status === 'disabled') throw new AuthError(403, 'user_banned', 'This account was disabled.');
  return session;
}
