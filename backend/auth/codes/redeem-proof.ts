import { ONE_CONFIRMED } from '#backend/auth/account/confirm-email-change.ts';
import { takeConfirmation } from '#backend/auth/account/take-confirmation.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Arrival, Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { linkExpired } from '#backend/auth/links/open-link.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import { keepSaid, saidBy } from '#backend/auth/people/metadata.ts';
import { confirmPhoneChange } from '#backend/auth/phone/change-phone.ts';
import { type Decided, decideFirst, openSession } from '#backend/auth/sessions/open-session.ts';
import { type SessionAnswer, sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type CodeProof, findMailOfCode } from './find-mail-of-code.ts';
import { type FoundMail, findByLink, spend, type VerifyType } from './one-time-tokens.ts';

/** A code with the (normalized) address or number it was sent to, or the token of a link. */
export type Proof = ({ way: 'code' } & CodeProof) | { way: 'link'; linkToken: string };

/**
 * Signs in by what a mail contained; the first of the two mailboxes of a change of address is answered with a message. The caller has
 * counted the IP.
 * @throws AuthError `otp_expired` for what is wrong, used or too old, 403 of the gate or `user_banned`, 429.
 */
export async function redeemProof(
  context: AuthContext,
  proof: Proof,
  type: VerifyType,
  caller: Caller,
): Promise<SessionAnswer | { code: 200; msg: string }> {
  if (proof.way === 'code') await countTry(context, AUTH_LIMITS.codeGuesses, { ip: caller.ip, email: proof.email });
  const signing = await context.signingKeys.current();
  const expired = proof.way === 'code' ? codeExpired : linkExpired;
  // A wrong guess ends here, before anyone is asked about the person.
  const opening =
    proof.way === 'code'
      ? await findMailOfCode(context, proof, type, caller.ip)
      : await findOpened(context, proof.linkToken, type);
  if (!opening) throw expired();
  const { found: proven, again: find } = opening;
  const decided = await decideFirst(context.gate, proven.user, type);
  const opened = await context.db.transaction().execute(async (tx) => {
    const found = await find(tx);
    if (!found) return EXPIRED;
    const arrival = { ...caller, way: proof.way };
    if (type === 'phone_change') return takePhone(tx, context, found, decided, arrival);
    // The number may have been exchanged for another meanwhile.
    if (type === 'sms' && found.user.phone !== found.mail.email) return EXPIRED;
    if (type === 'email_change') return takeConfirmation(tx, context, found, decided, arrival);
    await spend(tx, found.mail);
    const user = await keepSaid(tx, found.user, saidBy(context.vault, found.mail, caller.ip));
    return openSession(tx, context, user, decided, arrival);
  });
  if (opened.state === 'expired') throw expired();
  if (type === 'phone_change')
    notifyOwner(context, proven.user, { type: 'phone_changed', oldPhone: proven.user.phone });
  if (opened.state === 'one_confirmed') return { code: 200, msg: ONE_CONFIRMED };
  if (opened.state === 'denied')
    throw await refuse(context, opened.denial, { email: decided.email, at: 'sign_in', ip: caller.ip });
  return sessionAnswer(opened.session, signing);
}

/** The mail of a link's token, and how to find it again. */
async function findOpened({ db }: AuthContext, linkToken: string, type: VerifyType) {
  const again = (tx: Tx) => findByLink(tx, linkToken, type);
  const found = await db.transaction().execute(again);
  return found && { found, again };
}

/** The number is theirs, and they are signed in by it. */
async function takePhone(tx: Tx, context: AuthContext, found: FoundMail, decided: Decided, arrival: Arrival) {
  const user = await confirmPhoneChange(tx, context, found, arrival);
  return user ? openSession(tx, context, user, decided, arrival) : EXPIRED;
}

const EXPIRED = { state: 'expired' } as const;
const codeExpired = () => new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
