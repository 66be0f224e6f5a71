import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';
import { AuthError, deniedError } from './auth-error.ts';
import type { AuthContext, Caller } from './context.ts';
import { AUTH_LIMITS, GUESSES_PER_CODE } from './limits.ts';
import { findByLink, mailTypesOf, type OneTimeTokenRow, spend, type VerifyType } from './one-time-tokens.ts';
import { linkExpired } from './open-link.ts';
import { decideFirst, openSession } from './open-session.ts';
import { countTry } from './rate-limit.ts';
import { hashOfCode, sameBytes } from './secrets.ts';
import { type SessionAnswer, sessionAnswer } from './session-answer.ts';
import { findUserByEmail, lockUser, type UserRow } from './users.ts';

/** A code with the (normalised) address it was sent to, or the token of a link. */
export type Proof = { email: string; code: string } | { linkToken: string };

/**
 * Signs in by what a mail contained. The caller has counted the IP. Throws AuthError: `otp_expired` for what is wrong, used or too
 * old, 403 of the gate, 429.
 */
export async function verifyCode(
  context: AuthContext,
  proof: Proof,
  type: VerifyType,
  caller: Caller,
): Promise<SessionAnswer> {
  if ('code' in proof) await countTry(context, AUTH_LIMITS.guessesPerAddress, proof.email);
  const signing = await context.signingKeys.current();
  const find = (tx: Tx) =>
    'code' in proof ? findByCode(context, tx, proof, type) : findByLink(tx, proof.linkToken, type);
  const expired = 'code' in proof ? codeExpired : linkExpired;
  // A wrong guess ends here, before anybody is asked about the person.
  const proven = await context.db.transaction().execute(find);
  if (!proven) throw expired();
  const decided = await decideFirst(context.gate, proven.user);
  const opened = await context.db.transaction().execute(async (tx) => {
    const found = await find(tx);
    if (!found) return undefined;
    await spend(tx, found.mail);
    return openSession(tx, context.gate, found.user, decided, caller);
  });
  if (!opened) throw expired();
  if ('allow' in opened) throw deniedError(opened);
  return sessionAnswer(opened, signing, context.issuer);
}

const codeExpired = () =>
  new AuthError(
    403,
    'otp_expired',
    'This code is wrong, was used already, or is too old. Check it, or ask for a new one.',
  );

/** The mail whose code it is, with its person locked. A wrong one counts against every code it could have been meant for. */
async function findByCode(
  { vault }: AuthContext,
  tx: Tx,
  proof: { email: string; code: string },
  type: VerifyType,
): Promise<{ mail: OneTimeTokenRow; user: UserRow } | undefined> {
  const known = await findUserByEmail(tx, proof.email);
  const user = known && (await lockUser(tx, known.id));
  if (!user) return undefined;
  const mails = await tx
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('email', '=', proof.email)
    .where('token_type', 'in', mailTypesOf[type])
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  const guess = hashOfCode(vault, user.id, proof.code);
  const mail = mails.find((one) => sameBytes(one.code_hash, guess));
  if (mail) return { mail, user };
  for (const missed of mails) await countMiss(tx, missed);
  return undefined;
}

async function countMiss(tx: Tx, mail: OneTimeTokenRow): Promise<void> {
  if (mail.failed_guesses + 1 >= GUESSES_PER_CODE) return spend(tx, mail);
  await tx
    .updateTable('auth.one_time_tokens')
    .set({ failed_guesses: mail.failed_guesses + 1 })
    .where('id', '=', mail.id)
    .execute();
}
