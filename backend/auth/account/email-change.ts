import { sql } from 'kysely';
import { alsoFor } from '#backend/auth/asking/challenges.ts';
import { repeatMail, type ToSend } from '#backend/auth/asking/mail-of-network.ts';
import { issueOneTimeToken, type MailType, type OneTimeTokenRow } from '#backend/auth/codes/one-time-tokens.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { PkceChallenge } from '#backend/auth/links/pkce.ts';
import type { AuthMail } from '#backend/auth/messages/auth-mail.ts';
import type { UserRow } from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';

/** `redirectTo`: an allowed address. `network`: a keyed hash of that of the person who asks; none for the admin API. */
export type ChangeMailing = { challenge: PkceChallenge | undefined; redirectTo: string; network?: string };

const SIDES = ['email_change_current', 'email_change_new'] as const satisfies readonly MailType[];
type Side = (typeof SIDES)[number];
type ChangeMail = Required<AuthMail>;

/** Begins a change of address, in place of one that was under way. The person must be locked. Returns the mails to be sent. */
export async function beginEmailChange(
  tx: Tx,
  context: AuthContext,
  user: UserRow,
  newEmail: string,
  mailing: ChangeMailing,
): Promise<AuthMail[]> {
  return issueMails(tx, context, await startChange(tx, user, newEmail), SIDES, mailing);
}

/**
 * Link and code for one of the two mailboxes, and nothing is sent: begins the change, unless it is under way to the same address. The
 * person must be locked.
 */
export async function issueChangeSide(
  tx: Tx,
  context: AuthContext,
  user: UserRow,
  { newEmail, side, mailing }: { newEmail: string; side: Side; mailing: ChangeMailing },
): Promise<{ changing: UserRow; mail: ChangeMail }> {
  const changing = user.email_change === newEmail ? user : await startChange(tx, user, newEmail);
  return { changing, mail: await issueMail(tx, context, changing, side, mailing) };
}

/**
 * The same mails again for the mailboxes that have not confirmed yet: anyone who asks can be anyone, so nothing takes their place. New ones
 * where those are worth nothing any more. The person must be locked, and a change be under way.
 */
export async function repeatEmailChange(
  tx: Tx,
  context: AuthContext,
  user: UserRow,
  mailing: ChangeMailing,
): Promise<AuthMail[]> {
  const open = await tx
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('token_type', 'in', SIDES)
    .execute();
  await tx
    .updateTable('auth.users')
    .set({ email_change_sent_at: sql<Date>`now()` })
    .where('id', '=', user.id)
    .execute();
  const mails: AuthMail[] = [];
  for (const side of SIDES) {
    const mail = open.find((row) => row.token_type === side);
    const again = mail && (await sendAgain(tx, context, { ...mail, token_type: side }, mailing));
    if (mail) mails.push(again ?? (await issueMail(tx, context, user, side, mailing)));
  }
  return mails;
}

/** Undefined for a mail that was opened, or cannot be known any more. The browser that asks may finish with it too. */
async function sendAgain(
  tx: Tx,
  { vault }: AuthContext,
  mail: OneTimeTokenRow & { token_type: Side },
  { challenge, redirectTo, network = '' }: ChangeMailing,
): Promise<ChangeMail | undefined> {
  const again = await repeatMail(tx, vault, mail);
  if (!again) return undefined;
  await alsoFor(tx, mail, { challenge, metadata: {} }, network);
  return changeMail(mail.token_type, { to: mail.email, userId: mail.user_id, redirectTo }, again);
}

const startChange = (tx: Tx, { id }: UserRow, newEmail: string): Promise<UserRow> =>
  tx
    .updateTable('auth.users')
    .set({ email_change: newEmail, email_change_sent_at: sql<Date>`now()`, email_change_confirm_status: 0 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Ends a change that is under way: the address stays, and its mails are worth nothing any more. The person must be locked. */
export async function giveUpEmailChange(tx: Tx, { id }: Pick<UserRow, 'id'>): Promise<void> {
  await tx.deleteFrom('auth.one_time_tokens').where('user_id', '=', id).where('token_type', 'in', SIDES).execute();
  await tx
    .updateTable('auth.users')
    .set({ email_change: null, email_change_sent_at: null, email_change_confirm_status: 0 })
    .where('id', '=', id)
    .execute();
}

async function issueMails(
  tx: Tx,
  context: AuthContext,
  user: UserRow,
  sides: readonly Side[],
  mailing: ChangeMailing,
): Promise<AuthMail[]> {
  const mails: AuthMail[] = [];
  for (const side of sides) mails.push(await issueMail(tx, context, user, side, mailing));
  return mails;
}

async function issueMail(
  tx: Tx,
  { vault }: AuthContext,
  user: UserRow,
  side: Side,
  { challenge, redirectTo, network }: ChangeMailing,
): Promise<ChangeMail> {
  const to = (side === 'email_change_new' ? user.email_change : user.email) ?? '';
  const issued = await issueOneTimeToken(tx, vault, {
    userId: user.id,
    email: to,
    type: side,
    challenge,
    redirectTo,
    ...(network ? { askedFrom: network } : {}),
  });
  return changeMail(side, { to, userId: user.id, redirectTo }, issued);
}

const changeMail = (
  side: Side,
  { to, userId, redirectTo }: { to: string; userId: string; redirectTo: string },
  { linkToken, code, ends }: Omit<ToSend, 'mailId'>,
): ChangeMail => ({
  kind: side === 'email_change_new' ? 'new-address' : 'leave-address',
  link: { token: linkToken, type: 'email_change', redirectTo },
  to,
  userId,
  code,
  ends,
});
