import { lockSession, nextRefreshToken } from '#backend/auth/factors/step-up.ts';
import { AuthError, sessionNotFound } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { mirrorProviders } from '#backend/auth/people/providers-of-user.ts';
import { requireSecondStep } from '#backend/auth/people/require-second-step.ts';
import { findBelongings, lockUser } from '#backend/auth/people/users.ts';
import { grantToken, type SessionAnswer, sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import type { Db } from '#db/connection/client.ts';
import type { ExternalIdentity } from './external-identity.ts';
import { findIdentity, storeIdentity } from './identities.ts';

/** @throws AuthError 422 `identity_already_exists`, 403 `session_not_found`. */
export async function refuseToLink(db: Db, sessionId: string, identity: ExternalIdentity): Promise<void> {
  await refuseLinked(db, identity, (await ownerOf(db, sessionId)).id);
}

/**
 * Links an identity to the person of a session, which goes on: the answer continues it. The address of the identity need not be theirs:
 * they have shown both.
 * @throws AuthError 422 `identity_already_exists`, 403 `session_not_found`, of the gate or `user_banned`, 401 `insufficient_aal`.
 */
export async function linkIdentity(
  context: AuthContext,
  sessionId: string,
  identity: ExternalIdentity,
  { ip }: Caller,
): Promise<SessionAnswer> {
  const signing = await context.signingKeys.current();
  const owner = await ownerOf(context.db, sessionId);
  await requireSecondStep(context, { userId: owner.id, sessionId }, 'link an identity');
  const decision = await context.gate.decideToStay(owner.email);
  if (!decision.allow) throw await refuse(context, decision, { email: owner.email, at: 'sign_in', ip });
  const opened = await context.db.transaction().execute(async (tx) => {
    const session = await lockSession(tx, { userId: owner.id, sessionId });
    const user = await lockUser(tx, owner.id);
    if (!user) throw sessionNotFound();
    refuseBanned(user);
    await refuseLinked(tx, identity, user.id);
    await storeIdentity(tx, user.id, identity);
    await context.onEvent(tx, { type: 'identity_linked', userId: user.id, provider: identity.provider, ip });
    const opened = {
      session,
      user: await mirrorProviders(tx, user.id),
      ...(await findBelongings(tx, user.id)),
      refreshToken: await nextRefreshToken(tx, context.vault, session.id),
    };
    return grantToken(context, opened, { method: 'oauth', ip });
  });
  notifyOwner(context, owner, { type: 'identity_linked', provider: identity.provider });
  return sessionAnswer(opened, signing);
}

async function refuseLinked(db: Db, identity: ExternalIdentity, userId: string): Promise<void> {
  const linked = await findIdentity(db, identity);
  if (!linked) return;
  const whose = linked.user_id === userId ? '' : ' to another user';
  throw new AuthError(422, 'identity_already_exists', `Identity is already linked${whose}`);
}

async function ownerOf(db: Db, sessionId: string): Promise<{ id: string; email: string }> {
  const owner = await db
    .selectFrom('auth.sessions as session')
    .innerJoin('auth.users as user', 'user.id', 'session.user_id')
    .select(['user.id', 'user.email'])
    .where('session.id', '=', sessionId)
    .executeTakeFirst();
  if (!owner) throw sessionNotFound();
  return { id: owner.id, email: owner.email ?? '' };
}
