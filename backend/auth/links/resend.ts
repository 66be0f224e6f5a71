import { repeatEmailChange } from '#backend/auth/account/email-change.ts';
import { placeOf } from '#backend/auth/asking/networks.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { sendAuthMails } from '#backend/auth/messages/send-mail.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { findUserByEmail, lockUser } from '#backend/auth/people/users.ts';
import { askForLink } from './ask-for-link.ts';
import type { LinkRequest } from './link-request.ts';

type Resend = Pick<LinkRequest, 'email' | 'challenge' | 'redirectTo' | 'ip'>;

/**
 * Mails link and code once more: the same ones, while they work. An address without a user, or without a change under way, is
 * answered as the others are.
 * @throws AuthError as `askForLink` does.
 */
export async function resend(context: AuthContext, ask: Resend & { type: string }): Promise<void> {
  if (ask.type === 'email_change') return resendChange(context, ask);
  try {
    await askForLink(context, { ...ask, type: 'magiclink', createUser: false, metadata: {}, discreet: true });
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'otp_disabled')) throw error;
  }
}

/** `email`: the address that is to be left. */
async function resendChange(context: AuthContext, { email, ip, ...mailing }: Resend): Promise<void> {
  const known = await findUserByEmail(context.db, email);
  const { network, familiar } = await placeOf(context, known?.id, ip);
  await countTry(context, [...AUTH_LIMITS.mails, ...(familiar ? [] : AUTH_LIMITS.mailsToStrangers)], { email, ip });
  if (!known?.email_change) return;
  refuseBanned(known);
  const mails = await context.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, known.id);
    return user?.email_change ? repeatEmailChange(tx, context, user, { ...mailing, network }) : [];
  });
  await sendAuthMails(context, mails);
}
