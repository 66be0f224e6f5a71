import { AuthError } from '#backend/auth/auth-error.ts';
import { refuseBanned } from '#backend/auth/banned.ts';
import type { AuthContext } from '#backend/auth/context.ts';
import { AUTH_LIMITS } from '#backend/auth/limits.ts';
import { issueOneTimeToken } from '#backend/auth/one-time-tokens.ts';
import { countTry } from '#backend/auth/rate-limit.ts';
import { refuse } from '#backend/auth/refuse.ts';
import { requireSms, sendCode } from './send-code.ts';

/**
 * Texts a code to somebody who has confirmed that number while they were signed in: nobody is made, and the gate is asked about the
 * address of the account, as for a link. The caller has counted the IP. Throws AuthError: 400 `phone_provider_disabled`, 422
 * `otp_disabled` for any other number and for one that is their second step, 403 of the gate or `user_banned`, 429, those of `sendCode`.
 */
export async function askForCode(context: AuthContext, { phone, ip }: { phone: string; ip: string }): Promise<void> {
  requireSms(context);
  await countTry(context, AUTH_LIMITS.texts, { ip, email: phone });
  const user = await context.db
    .selectFrom('auth.users')
    .selectAll()
    .where('phone', '=', phone)
    .where('phone_confirmed_at', 'is not', null)
    .where('email_confirmed_at', 'is not', null)
    // One phone would prove both steps.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('auth.mfa_factors as factor')
            .whereRef('factor.user_id', '=', 'auth.users.id')
            .where('factor.phone', '=', phone)
            .where('factor.status', '=', 'verified'),
        ),
      ),
    )
    .executeTakeFirst();
  if (!user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  refuseBanned(user);
  const email = user.email ?? '';
  const decision = await context.gate.decide(email);
  if (!decision.allow) throw await refuse(context, decision, { email, at: 'link', ip });
  const { code } = await context.db.transaction().execute((tx) =>
    issueOneTimeToken(tx, context.vault, {
      ...{ userId: user.id, email: phone, type: 'sms' },
      ...{ redirectTo: context.siteUrl, challenge: undefined },
    }),
  );
  await sendCode(context, { phone, code, userId: user.id });
}
