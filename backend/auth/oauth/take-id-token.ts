import type { z } from 'zod/mini';
import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { IdTokenBody } from '#backend/auth/kit/request-body.ts';
import { authenticateActive } from '#backend/auth/people/authenticate.ts';
import type { SessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import { linkIdentity } from './link-identity.ts';
import { readIdToken } from './read-id-token.ts';
import { signInAs } from './sign-in-as.ts';

/**
 * Signs in by an ID token that a client got by itself, or links the identity in the session of the request.
 * @throws AuthError of `readIdToken`, `signInAs`, `authenticateActive`, `requireFresh` and `linkIdentity`.
 */
export async function takeIdToken(
  context: AuthContext,
  request: Request,
  body: z.output<typeof IdTokenBody>,
  caller: Caller,
): Promise<SessionAnswer> {
  const session = body.link_identity ? await authenticateActive(context, request) : undefined;
  const identity = await readIdToken(context, body);
  if (session) requireFresh(session);
  return session ? linkIdentity(context, session.sessionId, identity, caller) : signInAs(context, identity, caller);
}
