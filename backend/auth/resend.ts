import { type AskForLink, askForLink } from './ask-for-link.ts';
import { placeOf } from './asking/networks.ts';
import { AuthError } from './auth-error.ts';
import { refuseBanned } from './banned.ts';
import type { AuthContext } from './context.ts';
import { repeatEmailChange } from './email-change.ts';
import { AUTH_LIMITS } from './limits.ts';
import { countTry } from './rate-limit.ts';
import { sendAuthMails } from './send-mail.ts';
import { findUserByEmail, lockUser } from './users.ts';

type Resend = Pick<AskForLink, 'email' | 'challenge' | 'redirectTo' | 'ip'>;

/**
 * Mails link and code once more: the same ones, while they work. An address without a user, or without a change under way, is
 * answered as the others are. Throws AuthError: as `askForLink`.
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
