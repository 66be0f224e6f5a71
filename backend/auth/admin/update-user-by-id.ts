import { sql } from 'kysely';
import { emailExists } from '#backend/auth/account/confirm-email-change.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { requireEmail } from '#backend/auth/kit/request-body.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import { overwriteMetadata } from '#backend/auth/people/metadata.ts';
import { findUserByEmail, type UserJson, type UserRow } from '#backend/auth/people/users.ts';
import { refuseTaken } from '#backend/auth/phone/change-phone.ts';
import { removePhone } from '#backend/auth/phone/own-phone.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Attributes } from './admin-bodies.ts';
import { readBan } from './ban-duration.ts';
import { refuseUnsupported } from './create-user.ts';
import { asUserJson, lockUserById } from './find-user.ts';

/**
 * Changes a user at once: metadata by key (null deletes one), the address without asking its mailboxes, the number without a text to
 * it, a ban. A new number signs no one in before it is confirmed; a ban holds from the next request on.
 * @throws AuthError of `refuseUnsupported`, 404 `user_not_found`, 400 `validation_failed`, 422 `email_exists`, `phone_exists`.
 */
export async function updateUserById(
  context: AuthContext,
  id: string,
  given: Attributes,
  { ip }: Caller,
): Promise<UserJson> {
  refuseUnsupported(given);
  const ban = given.ban_duration ? { banned_until: readBan(given.ban_duration) } : {};
  const { before, json } = await context.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, id);
    if (given.email) await changeAddress(tx, user, requireEmail(given));
    if (given.phone) await changeNumber(tx, user, requirePhone(given.phone));
    const changed = await tx
      .updateTable('auth.users')
      .set({
        ...ban,
        ...(given.app_metadata
          ? { raw_app_meta_data: overwriteMetadata(user.raw_app_meta_data, given.app_metadata) }
          : {}),
        ...(given.user_metadata
          ? { raw_user_meta_data: overwriteMetadata(user.raw_user_meta_data, given.user_metadata) }
          : {}),
        ...(given.email_confirm ? { email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())` } : {}),
        ...(given.phone_confirm && (given.phone || user.phone)
          ? { phone_confirmed_at: sql<Date>`coalesce(phone_confirmed_at, now())` }
          : {}),
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await context.onEvent(tx, { type: 'administered', act: 'changed', userId: user.id, ip });
    return { before: user, json: await asUserJson(tx, changed) };
  });
  if (given.phone && json.phone !== (before.phone ?? ''))
    notifyOwner(context, before, { type: 'phone_changed', oldPhone: before.phone });
  return json;
}

async function changeNumber(tx: Tx, user: UserRow, phone: string): Promise<void> {
  if (phone === user.phone) return;
  await refuseTaken(tx, user.id, phone);
  await removePhone(tx, user.id);
  await tx.updateTable('auth.users').set({ phone }).where('id', '=', user.id).execute();
}

/** Everywhere that it stands, and with it goes every mail that was sent to the one before. */
async function changeAddress(tx: Tx, user: UserRow, email: string): Promise<void> {
  if (email === user.email) return;
  if (await findUserByEmail(tx, email)) throw emailExists();
  await tx.deleteFrom('auth.one_time_tokens').where('user_id', '=', user.id).execute();
  await tx
    .updateTable('auth.users')
    .set({ email, email_change: null, email_change_sent_at: null, email_change_confirm_status: 0 })
    .where('id', '=', user.id)
    .execute();
  await tx
    .updateTable('auth.identities')
    .set({ identity_data: sql<string>`identity_data || ${JSON.stringify({ email })}::jsonb` })
    .where('user_id', '=', user.id)
    .where('provider', '=', 'email')
    .execute();
  await tx.updateTable('app.profiles').set({ email }).where('user_id', '=', user.id).execute();
}
