import { sql } from 'kysely';
import { AuthError } from '#backend/auth/auth-error.ts';
import { emailExists } from '#backend/auth/confirm-email-change.ts';
import type { AuthContext, Caller } from '#backend/auth/context.ts';
import { overwriteMetadata } from '#backend/auth/metadata.ts';
import { requireEmail } from '#backend/auth/request-body.ts';
import { EMAIL_PROVIDER, type UserJson } from '#backend/auth/users.ts';
import type { Attributes } from './admin-bodies.ts';
import { readBan } from './ban-duration.ts';
import { asUserJson } from './find-user.ts';

/**
 * Makes a user, without asking the gate: it is asked when they sign in. Throws AuthError: those of `refuseWhatIsNotOffered` and
 * `requireEmail`, 422 `email_exists`.
 */
export async function createUser(context: AuthContext, given: Attributes, { ip }: Caller): Promise<UserJson> {
  refuseWhatIsNotOffered(given);
  const email = requireEmail(given);
  const values = {
    ...(given.id ? { id: given.id } : {}),
    email,
    raw_app_meta_data: overwriteMetadata(EMAIL_PROVIDER, given.app_metadata ?? {}),
    raw_user_meta_data: overwriteMetadata({}, given.user_metadata ?? {}),
    banned_until: given.ban_duration ? readBan(given.ban_duration) : null,
    ...(given.email_confirm ? { email_confirmed_at: sql<Date>`now()` } : {}),
  };
  return context.db.transaction().execute(async (tx) => {
    const user = await tx
      .insertInto('auth.users')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!user) throw emailExists();
    await context.onEvent(tx, { type: 'administered', act: 'created', userId: user.id, ip });
    return asUserJson(tx, user);
  });
}

/** Throws AuthError: 422 `validation_failed` for a password, 400 `phone_provider_disabled`, 400 `validation_failed` for a role. */
export function refuseWhatIsNotOffered({ password, phone, role, email }: Attributes): void {
  if (password)
    throw new AuthError(422, 'validation_failed', 'There are no passwords here: people sign in by a link in an email.');
  if (phone && !email) throw new AuthError(400, 'phone_provider_disabled', 'Signing in by phone is not offered');
  if (role && role !== 'authenticated')
    throw new AuthError(400, 'validation_failed', 'role must be authenticated: there is no other');
}
