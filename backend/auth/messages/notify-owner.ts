import { getUserById } from '#backend/auth/admin/find-user.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { type AccountChange, noticeMail } from './notice-mail.ts';

type Context = Pick<AuthContext, 'db' | 'hooks' | 'issuer' | 'sendMail' | 'siteUrl' | 'log'>;
/** Whose account it is. `email`: null for one without an address. */
type Owner = { id: string; email: string | null };

/**
 * Mails the owner of an account what has been changed there, or has the hook mail it, once that is committed. No one waits for it, and
 * nothing fails for it: the change has happened.
 */
export function notifyOwner(context: Context, { id: userId, email }: Owner, change: AccountChange): void {
  if (!email) return;
  send(context, { id: userId, email }, change).catch((error: unknown) => {
    // Mail servers repeat the address in what they say, and logs hold no addresses.
    const reason = String(error).replaceAll(email, '…');
    context.log.error(
      { reason, userId, change: change.type },
      'A notice about an account change could not be emailed to its owner',
    );
  });
}

async function send(
  context: Context,
  { id, email }: { id: string; email: string },
  change: AccountChange,
): Promise<void> {
  const { hooks } = context;
  if (hooks.sendNotice) await hooks.sendNotice(await getUserById(context.db, id), change);
  else await context.sendMail({ to: email, ...noticeMail(change, context.siteUrl) });
}
