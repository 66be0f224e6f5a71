import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { SessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import { spendAuthCode } from './flows.ts';
import { linkIdentity } from './link-identity.ts';
import { signInAs } from './sign-in-as.ts';

/**
 * The second half of a PKCE flow at a provider: signs in, or links the identity in the session that asked for it. Only here, because only
 * the browser that began the flow holds the verifier. Returns undefined for a code of another kind.
 * @throws AuthError of `spendAuthCode`, `signInAs` and `linkIdentity`.
 */
export async function exchangeOauthCode(
  context: AuthContext,
  { authCode, verifier }: { authCode: string; verifier: string },
  caller: Caller,
): Promise<SessionAnswer | undefined> {
  const spent = await spendAuthCode(context, authCode, verifier);
  if (!spent) return undefined;
  const { identity, sessionId } = spent;
  return sessionId ? linkIdentity(context, sessionId, identity, caller) : signInAs(context, identity, caller);
}
