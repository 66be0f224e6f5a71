import type { AuthContext } from './context.ts';
import { type AccountChange, noticeMail } from './notice-mail.ts';

/** Whose account it is. `email`: null for one without an address. */
type Owner = { id: string; email: string | null };

/**
 * Mails the owner of an account what has been changed there, once that is committed. Nobody waits for it, and nothing fails for it: the
 * change has happened.
 */
export function notifyOwner(
  { sendMail, siteUrl, log }: Pick<AuthContext, 'sendMail' | 'siteUrl' | 'log'>,
  { id: userId, email }: Owner,
  change: AccountChange,
): void {
  if (!email) return;
  sendMail({ to: email, ...noticeMail(change, siteUrl) }).catch((error: unknown) => {
    // Mail servers repeat the address in what they say, and logs hold no addresses.
    const reason = String(error).replaceAll(email, '…');
    log.error({ reason, userId, change: change.type }, 'A change of an account could not be mailed to its owner');
  });
}
