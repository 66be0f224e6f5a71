import { sql } from 'kysely';
import { giveUpEmailChange } from '#backend/auth/account/email-change.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { hashOfCode, sameBytes } from '#backend/auth/kit/secrets.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import { giveUpPhoneChange } from '#backend/auth/phone/change-phone.ts';
import {
  grantToken,
  type SessionAnswer,
  type SessionRow,
  sessionAnswer,
} from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';
import { placeOfSecret } from './enrol-factor.ts';
import { type FactorRow, findFactors, lockFactor, METHOD_OF, typeOf } from './factors.ts';
import { lockSession, stepUp } from './step-up.ts';
import { stepOfCode } from './totp.ts';

/**
 * Proves a factor: the session is at aal2 from now on, and continues with new tokens; sessions that are not end, so that no one goes
 * on who came in without it. The first time verifies the factor.
 * @throws AuthError of `lockFactor`, 422 `mfa_verification_failed` for a code that is wrong or was taken already, `mfa_factor_not_found`,
 * `mfa_challenge_expired`, 403 `insufficient_aal` for another factor than a verified one, 403 of the gate, 429.
 */
export async function verifyFactor(
  context: AuthContext,
  session: { userId: string; sessionId: string; email: string },
  proof: { factorId: string; challengeId: string; code: string },
  { ip }: Caller,
): Promise<SessionAnswer> {
  await countTry(context, AUTH_LIMITS.factorGuesses, { ip, email: session.email });
  // New tokens are as good as a refresh: the gate is asked as there.
  const decision = await context.gate.decideToStay(session.email);
  if (!decision.allow) throw await refuse(context, decision, { email: session.email, at: 'refresh', ip });
  const signing = await context.signingKeys.current();
  const { opened, added } = await context.db.transaction().execute(async (tx) => {
    const current = await lockSession(tx, session);
    const factor = await lockFactor(tx, session.userId, proof.factorId);
    await refuseNewcomer(tx, factor, current);
    const challenge = await takeChallenge(tx, { ...proof, sessionId: session.sessionId });
    const step = requireProof(context, factor, challenge, proof.code.trim());
    await markVerified(tx, factor, step);
    const isNew = factor.status !== 'verified';
    if (current.aal !== 'aal2' && isNew) await giveUpChanges(tx, session.userId);
    const type = isNew ? 'factor_added' : 'stepped_up';
    await context.onEvent(tx, { type, userId: session.userId, factor: typeOf(factor), ip });
    const raised = await stepUp(tx, context.vault, current, { method: METHOD_OF[typeOf(factor)], factorId: factor.id });
    const opened = await grantToken(context, raised, { method: METHOD_OF[typeOf(factor)], ip });
    return { opened, added: isNew ? typeOf(factor) : undefined };
  });
  if (added)
    notifyOwner(context, { id: session.userId, email: session.email }, { type: 'factor_added', factor: added });
  return sessionAnswer(opened, signing);
}

/**
 * One that was begun before there was a verified one must not stand in for it.
 * @throws AuthError 403 `insufficient_aal`.
 */
async function refuseNewcomer(tx: Tx, factor: FactorRow, { aal, user_id: userId }: SessionRow): Promise<void> {
  if (factor.status === 'verified' || aal === 'aal2') return;
  const factors = await findFactors(tx, userId);
  if (factors.some(({ status }) => status === 'verified'))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to verify a new factor');
}

/**
 * The time step of a code from an app; null for one that was texted.
 * @throws AuthError 422 `mfa_verification_failed`.
 */
function requireProof(
  { vault }: AuthContext,
  factor: FactorRow,
  { code_hash: texted }: { code_hash: Buffer | null },
  code: string,
): number | null {
  if (typeOf(factor) === 'phone') {
    if (texted && sameBytes(texted, hashOfCode(vault, factor.id, code))) return null;
    throw new AuthError(422, 'mfa_verification_failed', 'Invalid MFA Phone code entered');
  }
  const step = stepOfCode(vault.open(factor.sealed_secret ?? '', placeOfSecret(factor.id)), code, factor.last_step);
  if (step === undefined) throw new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
  return step;
}

async function takeChallenge(
  tx: Tx,
  { factorId, challengeId, sessionId }: { factorId: string; challengeId: string; sessionId: string },
): Promise<{ code_hash: Buffer | null }> {
  const challenge = await tx
    .deleteFrom('auth.mfa_challenges')
    .where('id', '=', challengeId)
    .where('factor_id', '=', factorId)
    .where('session_id', '=', sessionId)
    .returning(['code_hash', sql<boolean>`expires_at < now()`.as('expired')])
    .executeTakeFirst();
  if (!challenge)
    throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
  if (challenge.expired)
    throw new AuthError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    );
  return challenge;
}

/** With the first factor: no one who has not proven it may end a change of address or number that they began before. */
async function giveUpChanges(tx: Tx, userId: string): Promise<void> {
  await giveUpEmailChange(tx, { id: userId });
  await giveUpPhoneChange(tx, userId);
}

/** Others of its kind that were begun and never verified go, as in GoTrue. */
async function markVerified(
  tx: Tx,
  { id, user_id: userId, factor_type: type }: FactorRow,
  step: number | null,
): Promise<void> {
  await tx
    .updateTable('auth.mfa_factors')
    .set({ status: 'verified', last_step: step, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await tx
    .deleteFrom('auth.mfa_factors')
    .where('user_id', '=', userId)
    .where('factor_type', '=', type)
    .where('status', '=', 'unverified')
    .execute();
}
