import { randomUUID } from 'node:crypto';
import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { Authenticated } from '#backend/auth/people/authenticate.ts';
import { lockUser } from '#backend/auth/people/users.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import { hasSms } from '#backend/auth/phone/send-code.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Enrolment } from './factor-bodies.ts';
import { type FactorType, findFactors } from './factors.ts';
import { newTotp, type TotpSetup } from './totp.ts';

/** As in GoTrue. */
export const MOST_FACTORS = 10;
/** Sealed texts are bound to their place. */
export const placeOfSecret = (factorId: string) => `mfa_factors.sealed_secret:${factorId}`;

export type EnrolledFactor = { id: string; type: FactorType; friendly_name: string; totp?: TotpSetup; phone?: string };

/**
 * Begins a factor, which counts for nothing before it was verified.
 * @throws AuthError of `requireFresh`, 403 `insufficient_aal` where there is a verified one and the session has not proven it, 422
 * `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors`, `mfa_verified_factor_exists`, `mfa_phone_enroll_not_enabled`,
 * `mfa_webauthn_enroll_not_enabled`.
 */
export async function enrolFactor(
  context: AuthContext,
  session: Authenticated,
  given: Enrolment,
): Promise<EnrolledFactor> {
  if (given.factor_type === 'webauthn')
    throw new AuthError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn');
  if (given.factor_type === 'phone' && !hasSms(context))
    throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  const phone = given.factor_type === 'phone' ? requirePhone(given.phone) : undefined;
  const friendlyName = given.friendly_name?.trim() ?? '';
  return context.db.transaction().execute(async (tx) => {
    await lockUser(tx, session.userId);
    if (phone) await replaceUnverified(tx, session.userId, phone);
    await refuseEnrolment(tx, session, friendlyName);
    requireFresh(session);
    const id = randomUUID();
    const common = { id, user_id: session.userId, friendly_name: friendlyName };
    if (phone) {
      await tx
        .insertInto('auth.mfa_factors')
        .values({ ...common, factor_type: 'phone', phone })
        .execute();
      return { id, type: 'phone', friendly_name: friendlyName, phone };
    }
    const totp = newTotp(given.issuer || new URL(context.siteUrl).host, session.email);
    const sealed_secret = context.vault.seal(totp.secret, placeOfSecret(id));
    await tx
      .insertInto('auth.mfa_factors')
      .values({ ...common, factor_type: 'totp', sealed_secret })
      .execute();
    return { id, type: 'totp', friendly_name: friendlyName, totp };
  });
}

/** A number is a factor once; one that was begun with it and not verified gives way. */
async function replaceUnverified(tx: Tx, userId: string, phone: string): Promise<void> {
  const same = tx.selectFrom('auth.mfa_factors').where('user_id', '=', userId).where('phone', '=', phone);
  if (await same.select('id').where('status', '=', 'verified').executeTakeFirst())
    throw new AuthError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    );
  await tx.deleteFrom('auth.mfa_factors').where('user_id', '=', userId).where('phone', '=', phone).execute();
}

async function refuseEnrolment(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
  friendlyName: string,
): Promise<void> {
  const factors = await findFactors(tx, userId);
  if (factors.some((factor) => factor.friendly_name === friendlyName))
    throw new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${friendlyName}" for this user already exists`,
    );
  if (factors.length >= MOST_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    );
  if (factors.some(({ status }) => status === 'verified') && !(await isAal2(tx, sessionId)))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
}

/** Whether a session has proven a factor. */
async function isAal2(tx: Tx, sessionId: string): Promise<boolean> {
  const session = await tx.selectFrom('auth.sessions').select('aal').where('id', '=', sessionId).executeTakeFirst();
  return session?.aal === 'aal2';
}
