import { sql } from 'kysely';
import { repeatMail } from '#backend/auth/asking/mail-of-network.ts';
import { printOf } from '#backend/auth/asking/networks.ts';
import { type FoundMail, issueOneTimeToken, spend } from '#backend/auth/codes/one-time-tokens.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { lockUser, type UserRow } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { requireSms, sendCode } from './send-code.ts';

/**
 * Texts a code to a number that someone wants to have.
 * @throws AuthError 422 `phone_exists`, 429, those of `sendCode`.
 */
export async function beginPhoneChange(
  context: AuthContext,
  { userId, phone, ip }: { userId: string; phone: string; ip: string },
): Promise<void> {
  requireSms(context);
  await countTry(context, AUTH_LIMITS.namedTexts, { ip, email: `${userId} ${phone}` });
  await countTry(context, AUTH_LIMITS.ownTexts, { ip, email: userId });
  await refuseTaken(context.db, userId, phone);
  const { code } = await context.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await tx
      .updateTable('auth.users')
      .set({ phone_change: phone, phone_change_sent_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .execute();
    return issueOneTimeToken(tx, context.vault, {
      userId,
      email: phone,
      type: 'phone_change',
      redirectTo: context.siteUrl,
      challenge: undefined,
      askedFrom: printOf(context.vault, ip),
    });
  });
  await sendCode(context, { phone, code, userId });
}

/** Texts the same code of a change that is under way once more; a number that no one waits for is answered as the others are. */
export async function resendPhoneChange(
  context: AuthContext,
  { phone, ip }: { phone: string; ip: string },
): Promise<void> {
  requireSms(context);
  // Anyone who asks can be anyone: the person's own counts, and the code they wait for, stay theirs.
  await countTry(context, AUTH_LIMITS.textsToStrangers, { ip, email: phone });
  const user = await context.db
    .selectFrom('auth.users')
    .selectAll()
    .where('phone_change', '=', phone)
    .orderBy('phone_change_sent_at', 'desc')
    .executeTakeFirst();
  if (!user) return;
  refuseBanned(user);
  const again = await context.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id);
    const waiting = await tx
      .selectFrom('auth.one_time_tokens')
      .selectAll()
      .where('user_id', '=', user.id)
      .where('email', '=', phone)
      .where('token_type', '=', 'phone_change')
      .executeTakeFirst();
    if (!waiting) return undefined;
    const { asked_from } = waiting;
    return (
      (await repeatMail(tx, context.vault, waiting)) ??
      issueOneTimeToken(tx, context.vault, {
        userId: user.id,
        email: phone,
        type: 'phone_change',
        redirectTo: context.siteUrl,
        challenge: undefined,
        ...(asked_from ? { askedFrom: asked_from } : {}),
      })
    );
  });
  if (again) await sendCode(context, { phone, code: again.code, userId: user.id });
}

/** Makes the number theirs whose code it was. The person must be locked. Returns undefined for a change that is not under way. */
export async function confirmPhoneChange(
  tx: Tx,
  { onEvent }: Pick<AuthContext, 'onEvent'>,
  { mail, user }: FoundMail,
  { ip }: Pick<Caller, 'ip'>,
): Promise<UserRow | undefined> {
  if (user.phone_change !== mail.email) return undefined;
  refuseBanned(user);
  await spend(tx, mail);
  await refuseTaken(tx, user.id, mail.email);
  await onEvent(tx, { type: 'phone_changed', userId: user.id, ip });
  return tx
    .updateTable('auth.users')
    .set({
      phone: mail.email,
      phone_change: null,
      phone_change_sent_at: null,
      phone_confirmed_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends a change that is under way: the number stays, and the code is worth nothing any more. */
export async function giveUpPhoneChange(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', userId)
    .where('token_type', '=', 'phone_change')
    .execute();
  await tx
    .updateTable('auth.users')
    .set({ phone_change: null, phone_change_sent_at: null })
    .where('id', '=', userId)
    .execute();
}

/** @throws AuthError 422 `phone_exists` for a number that someone else has. */
export async function refuseTaken(db: Db, userId: string, phone: string): Promise<void> {
  const other = await db
    .selectFrom('auth.users')
    .select('id')
    .where('phone', '=', phone)
    .where('id', '<>', userId)
    .executeTakeFirst();
  if (other) throw phoneExists();
}

export const phoneExists = () =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered');
