import { sql } from 'kysely';
import type { FoundMail } from '#backend/auth/codes/one-time-tokens.ts';
import type { AccessDenial } from '#backend/auth/kit/access-gate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { findUserByEmail, type UserRow } from '#backend/auth/people/users.ts';
import type { Decided } from '#backend/auth/sessions/open-session.ts';
import type { Tx } from '#db/connection/tx.ts';

/** GoTrue's words for the first of the two mailboxes. */
export const ONE_CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

/** What a confirmation led to. */
export type Confirmation =
  | { state: 'one_confirmed' }
  | { state: 'both_confirmed'; user: UserRow }
  | { state: 'denied'; denial: AccessDenial }
  /** The mail is of a change that is not under way any more. */
  | { state: 'expired' };

/**
 * Takes the confirmation of one mailbox; both are needed, in any order. With the second, the address is changed everywhere, and mails
 * to the old one are worth nothing any more. The person must be locked.
 * @throws AuthError 422 `email_exists`, 403 `user_banned`
 */
export async function confirmEmailChange(
  tx: Tx,
  { gate, onEvent }: AuthContext,
  { mail, user }: FoundMail,
  decided: Decided,
  { ip }: Caller,
): Promise<Confirmation> {
  const to = user.email_change;
  const askedAt = mail.token_type === 'email_change_new' ? to : user.email;
  if (!to || mail.email !== askedAt) return { state: 'expired' };
  refuseBanned(user);
  await tx.deleteFrom('auth.one_time_tokens').where('id', '=', mail.id).execute();
  if (user.email_change_confirm_status === 0) {
    await tx.updateTable('auth.users').set({ email_change_confirm_status: 1 }).where('id', '=', user.id).execute();
    return { state: 'one_confirmed' };
  }
  if (await findUserByEmail(tx, to)) throw emailExists();
  if (decided.email !== to)
    throw new AuthError(409, 'conflict', 'Another address was named in the meantime. Please try again.');
  const admission = await gate.admit(tx, { id: user.id, email: to }, decided.decision);
  if (!admission.allow) return { state: 'denied', denial: admission };
  await onEvent(tx, { type: 'email_changed', userId: user.id, ip });
  return { state: 'both_confirmed', user: await change(tx, user, to) };
}

async function change(tx: Tx, { id }: UserRow, email: string): Promise<UserRow> {
  await tx.deleteFrom('auth.one_time_tokens').where('user_id', '=', id).execute();
  await tx
    .updateTable('auth.identities')
    .set({
      identity_data: sql<string>`identity_data || ${JSON.stringify({ email, email_verified: true })}::jsonb`,
      updated_at: sql<Date>`now()`,
    })
    .where('user_id', '=', id)
    .where('provider', '=', 'email')
    .execute();
  return tx
    .updateTable('auth.users')
    .set({
      email,
      email_change: null,
      email_change_sent_at: null,
      email_change_confirm_status: 0,
      email_confirmed_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
