import { sql } from 'kysely';
import { emailExists } from '#backend/auth/account/confirm-email-change.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { requireEmail } from '#backend/auth/kit/request-body.ts';
import { overwriteMetadata } from '#backend/auth/people/metadata.ts';
import { EMAIL_PROVIDER, PHONE_PROVIDER, type UserJson } from '#backend/auth/people/users.ts';
import { phoneExists } from '#backend/auth/phone/change-phone.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Attributes } from './admin-bodies.ts';
import { readBan } from './ban-duration.ts';
import { asUserJson } from './find-user.ts';

/**
 * Makes a user, without asking the gate: it is asked when they sign in. Who has a number only can do nothing until they have an address,
 * by which the gate knows people.
 * @throws AuthError of `refuseUnsupported`, `requireEmail` and `requirePhone`, 422 `email_exists`, `phone_exists`.
 */
export async function createUser(context: AuthContext, given: Attributes, { ip }: Caller): Promise<UserJson> {
  refuseUnsupported(given);
  const phone = given.phone ? requirePhone(given.phone) : null;
  const email = given.email || !phone ? requireEmail(given) : null;
  const values = {
    ...(given.id ? { id: given.id } : {}),
    email,
    phone,
    raw_app_meta_data: overwriteMetadata(email ? EMAIL_PROVIDER : PHONE_PROVIDER, given.app_metadata ?? {}),
    raw_user_meta_data: overwriteMetadata({}, given.user_metadata ?? {}),
    banned_until: given.ban_duration ? readBan(given.ban_duration) : null,
    ...(email && given.email_confirm ? { email_confirmed_at: sql<Date>`now()` } : {}),
    ...(phone && given.phone_confirm ? { phone_confirmed_at: sql<Date>`now()` } : {}),
  };
  return context.db.transaction().execute(async (tx) => {
    const user = await tx
      .insertInto('auth.users')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!user) throw phone && (await hasPhone(tx, phone)) ? phoneExists() : emailExists();
    await context.onEvent(tx, { type: 'administered', act: 'created', userId: user.id, ip });
    return asUserJson(tx, user);
  });
}

const hasPhone = (tx: Tx, phone: string) =>
  tx.selectFrom('auth.users').select('id').where('phone', '=', phone).executeTakeFirst();

/** @throws AuthError 422 `validation_failed` for a password, 400 `validation_failed` for a role. */
export function refuseUnsupported({ password, role }: Attributes): void {
  if (password)
    throw new AuthError(
      422,
      'validation_failed',
      'There are no passwords here. People sign in with a link in an email.',
    );
  if (role && role !== 'authenticated')
    throw new AuthError(400, 'validation_failed', 'role must be authenticated: there is no other');
}
