import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { findUserByEmail, type Newcomer, newcomerAt } from '#backend/auth/people/users.ts';
import { type Decided, openSession } from '#backend/auth/sessions/open-session.ts';
import { type SessionAnswer, sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import { type ExternalIdentity, profileData } from './external-identity.ts';
import { addressOf, findIdentity, storeIdentity, userOf } from './identities.ts';

/**
 * Asks the gate about a person.
 * @throws AuthError of `addressOf`, 403 of the gate.
 */
export async function decideAbout(context: AuthContext, identity: ExternalIdentity, { ip }: Caller): Promise<Decided> {
  const email = await addressOf(context.db, identity);
  const decision = await context.gate.decide(email);
  if (!decision.allow) throw await refuse(context, decision, { email, at: 'sign_in', ip });
  return { email, decision };
}

/**
 * Signs someone in by their provider's word, and remembers the identity with their account, which is made when there is none.
 * @throws AuthError of `decideAbout` and of the hooks, 403 `user_banned`, 409.
 */
export async function signInAs(
  context: AuthContext,
  identity: ExternalIdentity,
  caller: Caller,
): Promise<SessionAnswer> {
  const decided = await decideAbout(context, identity, caller);
  const newcomer = await newcomerOf(context, identity, caller);
  const signing = await context.signingKeys.current();
  const opened = await context.db.transaction().execute(async (tx) => {
    const user = await userOf(tx, identity, newcomer);
    await storeIdentity(tx, user.id, identity);
    return openSession(tx, context, user, decided, { ...caller, way: 'oauth' });
  });
  if (opened.state === 'denied')
    throw await refuse(context, opened.denial, { email: decided.email, at: 'sign_in', ip: caller.ip });
  return sessionAnswer(opened.session, signing);
}

/** The account that is to be made should there be none, once the hook allows it. Undefined where the provider vouches for no address. */
async function newcomerOf(
  context: AuthContext,
  identity: ExternalIdentity,
  caller: Caller,
): Promise<Newcomer | undefined> {
  const { verifiedEmail: email, provider } = identity;
  if (!email) return undefined;
  const newcomer = { ...newcomerAt(email, profileData(identity)), provider };
  const isKnown = (await findIdentity(context.db, identity)) ?? (await findUserByEmail(context.db, email));
  if (!isKnown) await context.hooks.beforeUserCreated?.(newcomer, caller);
  return newcomer;
}
