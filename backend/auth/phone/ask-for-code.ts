import { sql } from 'kysely';
import { mailFor, markSent } from '#backend/auth/asking/mail-of-network.ts';
import { placeOf } from '#backend/auth/asking/networks.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTries, tooMany } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { lockUser } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';
import { inWords } from '#db/limits/count-requests.ts';
import { requireSms, sendCode } from './send-code.ts';

/**
 * Texts a code to someone who confirmed that number while signed in. It makes no account, and asks the gate about the
 * account's address, as for a link. Networks count apart as there. The caller has counted the IP.
 * - `discreet`: no one learns whether the number is anyone's.
 * @throws AuthError 400 `phone_provider_disabled`, 422 `otp_disabled` for any other number and for one that is their second step, 403 of
 * the gate or `user_banned`, 429, those of `sendCode`.
 */
export async function askForCode(
  context: AuthContext,
  { phone, ip, discreet = false }: { phone: string; ip: string; discreet?: boolean },
): Promise<void> {
  requireSms(context);
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
  const place = await placeOf(context, user?.id, ip);
  const limits = place.familiar ? AUTH_LIMITS.texts : AUTH_LIMITS.textsToStrangers;
  const excess = await countTries(context, limits, { ip, email: phone });
  if (excess) throw tooMany(excess, user && (await sentBefore(context.db, user.id, discreet)));
  if (!user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  refuseBanned(user);
  const email = user.email ?? '';
  const decision = await context.gate.decide(email);
  if (!decision.allow) throw await refuse(context, decision, { email, at: 'link', ip });
  const wish = {
    userId: user.id,
    email: phone,
    type: 'sms',
    redirectTo: context.siteUrl,
    challenge: undefined,
  } as const;
  const found = await context.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id);
    return mailFor(tx, context.vault, { ...wish, metadata: {} }, place, false);
  });
  if ('shared' in found)
    throw new AuthError(500, 'unexpected_failure', 'The code could not be sent. Please try again.');
  await sendCode(context, { phone, code: found.code, userId: user.id });
  await markSent(context.db, found.mailId);
}

/** When a code went to the number that still works, for who may learn of it. */
async function sentBefore(db: Db, userId: string, discreet: boolean): Promise<string | undefined> {
  if (discreet) return undefined;
  const last = await db
    .selectFrom('auth.one_time_tokens')
    .select('sent_at')
    .where('user_id', '=', userId)
    .where('token_type', '=', 'sms')
    .where('code_hash', 'is not', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('sent_at', 'is not', null)
    .orderBy('sent_at', 'desc')
    .executeTakeFirst();
  return last?.sent_at ? `A code was texted ${agoInWords(last.sent_at)} and still works.` : undefined;
}

/** `12 seconds ago`. */
const agoInWords = (since: Date): string =>
  `${inWords(Math.max(1, Math.floor((Date.now() - since.getTime()) / 1000)))} ago`;
