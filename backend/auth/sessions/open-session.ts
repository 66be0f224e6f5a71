import { isIP } from 'node:net';
import { sql } from 'kysely';
import { rememberNetwork } from '#backend/auth/asking/networks.ts';
import type { VerifyType } from '#backend/auth/codes/one-time-tokens.ts';
import type { AccessDecision, AccessDenial, AccessGate } from '#backend/auth/kit/access-gate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Arrival } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { mirroredProviders } from '#backend/auth/people/providers-of-user.ts';
import { findBelongings, type UserRow } from '#backend/auth/people/users.ts';
import { keepPhoneIdentity } from '#backend/auth/phone/own-phone.ts';
import type { Tx } from '#db/connection/tx.ts';
import { firstRefreshToken } from './refresh-tokens.ts';
import { type GrantedSession, grantToken } from './session-answer.ts';

/** What came of signing someone in who has proven to be who they are. */
export type Opening = { state: 'opened'; session: GrantedSession } | { state: 'denied'; denial: AccessDenial };

/** What the gate has said about an address. */
export type Decided = { email: string; decision: AccessDecision };

/**
 * Asks the gate about a person, before the transaction that signs them in: it may have to wait for someone else's answer. Of someone
 * who confirms a change of address, about the new one.
 */
export async function decideFirst(
  gate: AccessGate,
  { email, email_change: to }: Pick<UserRow, 'email'> & Partial<UserRow>,
  type?: VerifyType,
): Promise<Decided> {
  if (type === 'email_change' && to) return { email: to, decision: await gate.decideToMove(email ?? '', to) };
  return { email: email ?? '', decision: await gate.decide(email ?? '') };
}

/**
 * Signs `user` in, who has just proven to be who they are. The gate has the last word but for a hook, which is asked after it.
 * @throws AuthError 403 `user_banned`, 409, those of the hook.
 */
export async function openSession(
  tx: Tx,
  context: AuthContext,
  user: UserRow,
  decided: Decided,
  arrival: Arrival,
): Promise<Opening> {
  const { gate, onEvent, onActor } = context;
  onActor?.(user.id);
  refuseBanned(user);
  const email = user.email ?? '';
  if (decided.email !== email)
    throw new AuthError(409, 'conflict', 'The address of this account has just changed. Please try again.');
  const admission = await gate.admit(tx, { id: user.id, email }, decided.decision);
  if (!admission.allow) return { state: 'denied', denial: admission };

  if (arrival.way !== 'oauth') await keepEmailIdentity(tx, user.id, email);
  await keepPhoneIdentity(tx, user);
  const signedIn = await tx
    .updateTable('auth.users')
    .set({
      email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())`,
      last_sign_in_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
      ...mirroredRole(admission.role, mirroredProviders),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const row = await tx
    .insertInto('auth.sessions')
    .values({
      user_id: user.id,
      amr: JSON.stringify([{ method: methodOf[arrival.way], timestamp: Math.floor(Date.now() / 1000) }]),
      user_agent: arrival.userAgent?.slice(0, 500) ?? null,
      ip: isIP(arrival.ip) ? arrival.ip : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await rememberNetwork(tx, context.vault, { userId: user.id, ip: arrival.ip });
  await onEvent(tx, { type: 'signed_in', userId: user.id, way: arrival.way, ip: arrival.ip });
  const opened = {
    session: row,
    user: signedIn,
    ...(await findBelongings(tx, user.id)),
    refreshToken: await firstRefreshToken(tx, row.id),
  };
  const session = await grantToken(context, opened, { method: methodOf[arrival.way], ip: arrival.ip });
  return { state: 'opened', session };
}

/** How GoTrue calls the ways in. */
const methodOf = { link: 'otp', code: 'otp', oauth: 'oauth' } satisfies Record<Arrival['way'], string>;

async function keepEmailIdentity(tx: Tx, userId: string, email: string): Promise<void> {
  await tx
    .insertInto('auth.identities')
    .values({
      user_id: userId,
      provider: 'email',
      provider_id: userId,
      identity_data: JSON.stringify({ sub: userId, email, email_verified: true, phone_verified: false }),
      last_sign_in_at: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_id'])
        .doUpdateSet({ last_sign_in_at: sql<Date>`now()`, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/**
 * The profile's role, copied to where clients look for it, over `appMetadata`. For display: users may edit their own `user_metadata`.
 */
export const mirroredRole = (role: 'user' | 'admin', appMetadata = sql<string>`raw_app_meta_data`) => ({
  raw_app_meta_data: sql<string>`${appMetadata} || ${JSON.stringify({ role })}::jsonb`,
  raw_user_meta_data: sql<string>`raw_user_meta_data || ${JSON.stringify({ email_verified: true, role })}::jsonb`,
});
