import { sql } from 'kysely';
import { lockSession, stepUp } from '#backend/auth/factors/step-up.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import type { Authenticated } from '#backend/auth/people/authenticate.ts';
import { grantToken, type SessionAnswer, sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import { hashOfRecoveryCode, requireSet } from './codes.ts';

const METHOD = 'mfa/recovery_code';

/**
 * Spends a code: the session is at aal2 from now on, as after `verifyFactor`, and its owner is mailed.
 * @throws AuthError 422 `mfa_verification_failed` for a code that is wrong or was used, 403 of the gate, 429
 */
export async function spendCode(
  context: AuthContext,
  session: Authenticated,
  code: string,
  { ip }: Caller,
): Promise<SessionAnswer> {
  const { userId, email } = session;
  await countTry(context, AUTH_LIMITS.factorGuesses, { ip, email });
  // New tokens are as good as a refresh: the gate is asked as there.
  const decision = await context.gate.decideToStay(email);
  if (!decision.allow) throw await refuse(context, decision, { email, at: 'refresh', ip });
  const signing = await context.signingKeys.current();
  const { opened, remaining } = await context.db.transaction().execute(async (tx) => {
    const current = await lockSession(tx, session);
    const used = await tx
      .updateTable('auth.recovery_codes')
      .set({ used_at: sql<Date>`now()` })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hashOfRecoveryCode(userId, code))
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!used) throw new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code entered');
    await context.onEvent(tx, { type: 'stepped_up', userId, factor: 'recovery_code', ip });
    const raised = await stepUp(tx, context.vault, current, { method: METHOD, factorId: null });
    const { remaining } = await requireSet(tx, userId);
    return { opened: await grantToken(context, raised, { method: METHOD, ip }), remaining };
  });
  notifyOwner(context, { id: userId, email }, { type: 'recovery_code_used', remaining });
  return sessionAnswer(opened, signing);
}
