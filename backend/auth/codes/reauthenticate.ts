import { sql } from 'kysely';
import { printOf } from '#backend/auth/asking/networks.ts';
import { AuthError, sessionNotFound } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { sendAuthMail } from '#backend/auth/messages/send-mail.ts';
import { type Authenticated, authenticateActive } from '#backend/auth/people/authenticate.ts';
import { lockUser } from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';
import { matchCode } from './match-code.ts';
import { issueOneTimeToken, spend } from './one-time-tokens.ts';

/**
 * Mails a code that proves, for the session that asks alone, who is there.
 * @throws AuthError of `authenticateActive`, 400 `reauthentication_needed` for people with a second step, which proves it instead, 429,
 * 500.
 */
export async function reauthenticate(context: AuthContext, request: Request, { ip }: Caller): Promise<void> {
  await countTry(context, AUTH_LIMITS.asks, { ip });
  const { userId, sessionId, email } = await authenticateActive(context, request);
  await refuseBesideSecondStep(context, userId);
  await countTry(context, AUTH_LIMITS.ownMails, { ip, email: userId });
  const { code } = await context.db.transaction().execute((tx) =>
    issueOneTimeToken(tx, context.vault, {
      userId,
      email,
      sessionId,
      type: 'reauthentication',
      redirectTo: context.siteUrl,
      challenge: undefined,
      askedFrom: printOf(context.vault, ip),
    }),
  );
  await sendAuthMail(context, { to: email, kind: 'reauthentication', userId, code });
}

/** @throws AuthError 400 `reauthentication_needed` unless the person has just signed in, or shown again that it is them. */
export function requireFresh({ isFresh }: Pick<Authenticated, 'isFresh'>): void {
  if (!isFresh)
    throw new AuthError(
      400,
      'reauthentication_needed',
      'Your last sign-in was a while ago. Prove your second step again, or ask for a code by email (reauthenticate) and send it as nonce (updateUser).',
    );
}

/**
 * Spends the code that was mailed for this session, which is fresh from then on.
 * @throws AuthError 422 `reauthentication_not_valid`, 400 `reauthentication_needed` for people with a second step, 429.
 */
export async function proveByNonce(
  context: AuthContext,
  session: Authenticated,
  nonce: string,
  { ip }: Caller,
): Promise<Authenticated> {
  await refuseBesideSecondStep(context, session.userId);
  await countTry(context, AUTH_LIMITS.ownGuesses, { ip, email: session.userId });
  // A transaction of its own: a wrong nonce is refused, and counted all the same.
  const spent = await context.db.transaction().execute(async (tx) => {
    if (!(await spendNonce(tx, context, session, { nonce, network: printOf(context.vault, ip) }))) return false;
    await context.onEvent(tx, { type: 'proven', userId: session.userId, ip });
    return true;
  });
  if (!spent) throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
  return { ...session, isFresh: true };
}

async function spendNonce(
  tx: Tx,
  { vault }: AuthContext,
  { userId, sessionId, email }: Authenticated,
  { nonce, network }: { nonce: string; network: string },
): Promise<boolean> {
  await lockUser(tx, userId);
  const code = nonce.replace(/[\s-]/g, '');
  const guess = { userId, email, sessionId, types: ['reauthentication'], code } as const;
  const { mail } = await matchCode(tx, vault, guess, { network, reach: 'all' });
  if (!mail) return false;
  await spend(tx, mail);
  const proven = await tx
    .updateTable('auth.sessions')
    .set({ proven_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .returning('id')
    .executeTakeFirst();
  if (!proven) throw sessionNotFound();
  return true;
}

/** A mailbox must not stand in for a second step: that is there because someone else may read the mail. */
async function refuseBesideSecondStep({ db }: AuthContext, userId: string): Promise<void> {
  const factor = await db
    .selectFrom('auth.mfa_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  if (factor)
    throw new AuthError(
      400,
      'reauthentication_needed',
      'A code by email is not enough where there is a second step. Prove that again (mfa.challenge, mfa.verify).',
    );
}
