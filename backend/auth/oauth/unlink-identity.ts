import { z } from 'zod/mini';
import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import { authenticateActive } from '#backend/auth/people/authenticate.ts';
import { mirrorProviders } from '#backend/auth/people/providers-of-user.ts';
import { requireSecondStep } from '#backend/auth/people/require-second-step.ts';
import { findBelongings, type IdentityRow, lockUser } from '#backend/auth/people/users.ts';
import { removePhone } from '#backend/auth/phone/own-phone.ts';

const Uuid = z.uuid();

/**
 * Takes an identity from the caller's account; with that of a number, the number.
 * @throws AuthError of `authenticateActive`, `requireSecondStep` and `requireFresh`, 404 `validation_failed`, 422 `identity_not_found`,
 * `single_identity_not_deletable`, and `email_conflict_identity_not_deletable` where no other identity would stand for the account's
 * address.
 */
export async function unlinkIdentity(
  context: AuthContext,
  request: Request,
  identityId: string,
  { ip }: Caller,
): Promise<void> {
  const session = await authenticateActive(context, request);
  await requireSecondStep(context, session, 'unlink an identity');
  if (!Uuid.safeParse(identityId).success) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  const provider = await context.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, session.userId);
    const { identities } = await findBelongings(tx, session.userId);
    if (identities.length <= 1)
      throw new AuthError(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
    const identity = identities.find(({ id }) => id === identityId);
    if (!user || !identity) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
    const others = identities.filter((one) => one !== identity);
    if (identity.provider === 'email' && !others.some((one) => standsFor(one, user.email)))
      throw new AuthError(
        422,
        'email_conflict_identity_not_deletable',
        'Unable to unlink identity due to email conflict: no other identity has the address of this account',
      );
    requireFresh(session);
    if (identity.provider === 'phone') await removePhone(tx, user.id);
    else await tx.deleteFrom('auth.identities').where('id', '=', identity.id).execute();
    await mirrorProviders(tx, user.id);
    await context.onEvent(tx, { type: 'identity_unlinked', userId: user.id, provider: identity.provider, ip });
    return identity.provider;
  });
  const change =
    provider === 'phone' ? { type: 'phone_removed' as const } : { type: 'identity_unlinked' as const, provider };
  notifyOwner(context, { id: session.userId, email: session.email }, change);
}

function standsFor({ identity_data: data }: IdentityRow, email: string | null): boolean {
  if (!data || typeof data !== 'object' || Array.isArray(data)) return false;
  return data.email === email && data.email_verified === true;
}
