import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { printOf } from './asking/networks.ts';
import { AuthError, userNotFound } from './auth-error.ts';
import { authenticateActive } from './authenticate.ts';
import { emailExists } from './confirm-email-change.ts';
import type { AuthContext, Caller } from './context.ts';
import { beginEmailChange, type ChangeMailing, giveUpEmailChange } from './email-change.ts';
import { AUTH_LIFETIMES, AUTH_LIMITS } from './limits.ts';
import { mergeMetadata } from './metadata.ts';
import { beginPhoneChange } from './phone/change-phone.ts';
import { requirePhone } from './phone/phone-number.ts';
import { requireSms } from './phone/send-code.ts';
import { countTry } from './rate-limit.ts';
import { requireNonce } from './reauthenticate.ts';
import { refuse } from './refuse.ts';
import { requireEmail, type UserBody } from './request-body.ts';
import { requireSecondStep } from './require-second-step.ts';
import { sendAuthMails } from './send-mail.ts';
import { findBelongings, findUserByEmail, lockUser, type UserJson, userJson } from './users.ts';

/**
 * Changes what people may change of themselves: their metadata at once, their address when both mailboxes have confirmed, their number
 * when the code that went there has come back. Whoever
 * asks for the address they have gives a change up. Throws AuthError: those of `authenticateActive` and `requireNonce`, 403
 * `not_admin`, 422 `validation_failed` for a password, 422 `email_exists`, 401 `insufficient_aal`, 403 of the gate about the new address, 429.
 */
export async function updateUser(
  context: AuthContext,
  request: Request,
  body: z.output<typeof UserBody>,
  mailing: Omit<ChangeMailing, 'network'>,
  caller: Caller,
): Promise<UserJson> {
  const session = await authenticateActive(context, request);
  refuseWhatIsNotOffered(body);
  const wanted = body.email ? requireEmail(body) : session.email;
  const newEmail = wanted === session.email ? undefined : wanted;
  const keepsEmail = body.email && !newEmail;
  if (newEmail) await allowChange(context, session, newEmail, body.nonce, caller);

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

function refuseWhatIsNotOffered({ password, app_metadata: appMetadata }: z.output<typeof UserBody>): void {
  if (password)
    throw new AuthError(422, 'validation_failed', 'There are no passwords here: you sign in by a link in an email.');
  if (appMetadata) throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
}

async function allowChange(
  context: AuthContext,
  session: { userId: string; sessionId: string; email: string },
  newEmail: string,
  nonce: string | null | undefined,
  caller: Caller,
): Promise<void> {
  await countTry(context, AUTH_LIMITS.asks, caller);
  await requireSecondStep(context, session, 'update email or password');
  // Before the nonce, which works once: what is refused here is asked for again with another address.
  if (await findUserByEmail(context.db, newEmail)) throw emailExists();
  const decision = await context.gate.decideToMove(session.email, newEmail);
  if (!decision.allow) throw await refuse(context, decision, { email: newEmail, at: 'link', ip: caller.ip });
  if (!(await isRecent(context, session.sessionId))) await requireNonce(context, session, nonce, caller);
  await countTry(context, AUTH_LIMITS.ownMails, { ip: caller.ip, email: `${session.userId} moves` });
}

/** Texts a code to the new number, unless it is the one they have confirmed. */
async function changePhone(
  context: AuthContext,
  session: { userId: string; sessionId: string; email: string },
  { phone: given, nonce }: z.output<typeof UserBody>,
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
  // Another text to the number that waits for its code is what the nonce was for.
  const isRepeated = own?.phone_change === phone;
  if (!isRepeated && !(await isRecent(context, session.sessionId))) await requireNonce(context, session, nonce, caller);
  await beginPhoneChange(context, { userId: session.userId, phone, ip: caller.ip });
}

async function isRecent({ db }: AuthContext, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth.sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('created_at', '>', sql<Date>`now() - ${AUTH_LIFETIMES.recentSignInMs} * interval '1 millisecond'`)
    .executeTakeFirst();
  return found !== undefined;
}
