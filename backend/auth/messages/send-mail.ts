import { getUserById } from '#backend/auth/admin/find-user.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { withQuery } from '#backend/auth/kit/redirects.ts';
import type { AuthMail, LinkParts } from './auth-mail.ts';
import { authMail } from './mail-template.ts';

/** Where a mail's link leads. */
export const verifyAddress = (siteUrl: string, { token, type, redirectTo }: LinkParts): string =>
  withQuery(`${siteUrl}/auth/v1/verify`, { token, type, redirect_to: redirectTo });

/**
 * Sends one of our mails, or has the hook send it.
 * @throws AuthError of the hook, or 500, which tells nothing of the mail server.
 */
export const sendAuthMail = (context: AuthContext, mail: AuthMail): Promise<void> => sendAuthMails(context, [mail]);

/** The same for both mails of a change, one after the other: if one cannot be sent, the person is told and begins again. */
export async function sendAuthMails(context: AuthContext, mails: readonly AuthMail[]): Promise<void> {
  const [first, second] = mails;
  if (!first) return;
  const { hooks } = context;
  if (hooks.sendEmail) return hooks.sendEmail(await getUserById(context.db, first.userId), [first, second]);
  for (const mail of mails) await send(context, mail);
}

async function send({ siteUrl, sendMail, log }: AuthContext, mail: AuthMail): Promise<void> {
  const { to, kind, code, ends, userId, link } = mail;
  const address = link && verifyAddress(siteUrl, link);
  try {
    await sendMail({ to, ...authMail(kind, { code, ends, siteUrl, ...(address ? { link: address } : {}) }) });
  } catch (error) {
    if (error instanceof AuthError) throw error;
    // Mail servers repeat the address in what they say, and logs hold no addresses.
    const reason = String(error).replaceAll(to, '…');
    log.error({ reason, userId, kind }, 'A sign-in email could not be sent');
    throw new AuthError(500, 'unexpected_failure', 'The email could not be sent. Please try again in a minute.');
  }
}
