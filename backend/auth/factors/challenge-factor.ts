import { sql } from 'kysely';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIFETIMES, AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { hashOfCode, newCode } from '#backend/auth/kit/secrets.ts';
import { sendCode } from '#backend/auth/phone/send-code.ts';
import { type FactorType, lockFactor, typeOf } from './factors.ts';

/** `expires_at` in seconds since 1970. */
export type Challenge = { id: string; type: FactorType; expires_at: number };

/**
 * Asks a session to prove a factor: that of a phone by a code that is texted.
 * @throws AuthError of `lockFactor` and `sendCode`, 429.
 */
export async function challengeFactor(
  context: AuthContext,
  session: { userId: string; sessionId: string; email: string },
  factorId: string,
  { ip }: Caller,
): Promise<Challenge> {
  await countTry(context, AUTH_LIMITS.challenges, { ip, email: session.email });
  const { factor, challenge, code } = await context.db.transaction().execute(async (tx) => {
    const factor = await lockFactor(tx, session.userId, factorId);
    const code = factor.phone ? newCode() : undefined;
    const { id, expires_at } = await tx
      .insertInto('auth.mfa_challenges')
      .values({
        factor_id: factor.id,
        session_id: session.sessionId,
        code_hash: code ? hashOfCode(context.vault, factor.id, code) : null,
        expires_at: sql<Date>`now() + ${AUTH_LIFETIMES.challengeMs} * interval '1 millisecond'`,
      })
      .returning(['id', 'expires_at'])
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('auth.mfa_factors')
      .set({ last_challenged_at: sql<Date>`now()` })
      .where('id', '=', factor.id)
      .execute();
    const challenge = { id, type: typeOf(factor), expires_at: Math.floor(expires_at.getTime() / 1000) };
    return { factor, challenge, code };
  });
  if (factor.phone && code) {
    await countTry(context, AUTH_LIMITS.namedTexts, { ip, email: `${session.userId} ${factor.phone}` });
    await countTry(context, AUTH_LIMITS.ownTexts, { ip, email: session.userId });
    await sendCode(context, { phone: factor.phone, code, userId: session.userId, isFactor: true });
  }
  return challenge;
}
