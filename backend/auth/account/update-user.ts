import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { printOf } from '#backend/auth/asking/networks.ts';
import { proveByNonce, requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import { AuthError, userNotFound } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { requireEmail, type UserBody } from '#backend/auth/kit/request-body.ts';
import { sendAuthMails } from '#backend/auth/messages/send-mail.ts';
import { type Authenticated, authenticateActive } from '#backend/auth/people/authenticate.ts';
import { mergeMetadata } from '#backend/auth/people/metadata.ts';
import { requireSecondStep } from '#backend/auth/people/require-second-step.ts';
import { findBelongings, findUserByEmail, lockUser, type UserJson, userJson } from '#backend/auth/people/users.ts';
import { beginPhoneChange } from '#backend/auth/phone/change-phone.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import { requireSms } from '#backend/auth/phone/send-code.ts';
import { emailExists } from './confirm-email-change.ts';
import { beginEmailChange, type ChangeMailing, giveUpEmailChange } from './email-change.ts';

/**
 * Changes a person's own metadata at once, their address when both mailboxes have confirmed, and their number when its
 * code has come back. Anyone who asks for the address they have gives a change up. A nonce proves who they are for the
 * session, also when nothing else is sent.
 * @throws AuthError of `authenticateActive`, `requireFresh` and `proveByNonce`, 403 `not_admin`, 422 `validation_failed` for a password,
 * 422 `email_exists`, 401 `insufficient_aal`, 403 of the gate about the new address, 429.
 */
export async function updateUser(
  context: AuthContext,
  request: Request,
  body: z.output<typeof UserBody>,
  mailing: Omit<ChangeMailing, 'network'>,
  caller: Caller,
): Promise<UserJson> {
  const signedIn = await authenticateActive(context, request);
  refuseUnsupported(body);
  const session = await takeNonce(context, signedIn, body, caller);
  const wanted = body.email ? requireEmail(body) : session.email;
  const newEmail = wanted === session.email ? undefined : wanted;
  const keepsEmail = body.email && !newEmail;
  if (newEmail) await allowChange(context, session, newEmail, caller);

  if (body.phone) await changePhone(context, session, body, caller);

  const { user, mails } = await context.db.transaction().execute(async (tx) => {
    const locked = await lockUser(tx, session.userId);
    if (!locked) throw userNotFound();
    const mails = newEmail
      ? await beginEmailChange(tx, context, locked, newEmail, {
          ...mailing,
          network: printOf(context.vault, caller.ip),
        })
      : [];
    if (keepsEmail) await giveUpEmailChange(tx, locked);
    const user = await tx
      .updateTable('auth.users')
      .set({
        ...(body.data ? { raw_user_meta_data: mergeMetadata(locked.raw_user_meta_data, body.data) } : {}),
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', locked.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { user, mails };
  });
  await sendAuthMails(context, mails);
  return userJson(user, await findBelongings(context.db, user.id));
}

function refuseUnsupported({ password, app_metadata: appMetadata }: z.output<typeof UserBody>): void {
  if (password)
    throw new AuthError(422, 'validation_failed', 'There are no passwords here. You sign in with a link in an email.');
  if (appMetadata) throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
}

/** The session as it is with the nonce that came along. One that has no need of it keeps it for later. */
async function takeNonce(
  context: AuthContext,
  session: Authenticated,
  { nonce, email, phone }: z.output<typeof UserBody>,
  caller: Caller,
): Promise<Authenticated> {
  if (!nonce || (session.isFresh && (email || phone))) return session;
  return proveByNonce(context, session, nonce, caller);
}

async function allowChange(
  context: AuthContext,
  session: Authenticated,
  newEmail: string,
  caller: Caller,
): Promise<void> {
  await countTry(context, AUTH_LIMITS.asks, caller);
  await requireSecondStep(context, session, 'update email or password');
  if (await findUserByEmail(context.db, newEmail)) throw emailExists();
  const decision = await context.gate.decideToMove(session.email, newEmail);
  if (!decision.allow) throw await refuse(context, decision, { email: newEmail, at: 'link', ip: caller.ip });
  requireFresh(session);
  await countTry(context, AUTH_LIMITS.ownMails, { ip: caller.ip, email: `${session.userId} moves` });
}

/** Texts a code to the new number, unless it is the one they have confirmed. */
async function changePhone(
  context: AuthContext,
  session: Authenticated,
  { phone: given }: z.output<typeof UserBody>,
  caller: Caller,
): Promise<void> {
  const phone = requirePhone(given);
  requireSms(context);
  await countTry(context, AUTH_LIMITS.asks, caller);
  await requireSecondStep(context, session, 'update phone');
  const own = await context.db
    .selectFrom('auth.users')
    .select(['phone', 'phone_confirmed_at', 'phone_change'])
    .where('id', '=', session.userId)
    .executeTakeFirst();
  if (own?.phone === phone && own.phone_confirmed_at) return;
  // Another text to the number that waits for its code is what the proof was for.
  if (own?.phone_change !== phone) requireFresh(session);
  await beginPhoneChange(context, { userId: session.userId, phone, ip: caller.ip });
}
