import type { Tx } from '#db/tx.ts';
import { printOf } from './asking/networks.ts';
import { AuthError } from './auth-error.ts';
import { authenticateActive } from './authenticate.ts';
import type { AuthContext, Caller } from './context.ts';
import { AUTH_LIMITS } from './limits.ts';
import { matchCode } from './match-code.ts';
import { issueOneTimeToken, spend } from './one-time-tokens.ts';
import { countTry } from './rate-limit.ts';
import { sendAuthMail } from './send-mail.ts';
import { lockUser } from './users.ts';

/** Mails a nonce to whoever is signed in, for `requireNonce`. Throws AuthError: those of `authenticateActive`, 429, 500. */
export async function reauthenticate(context: AuthContext, request: Request, { ip }: Caller): Promise<void> {
  await countTry(context, AUTH_LIMITS.asks, { ip });
  const { userId, email } = await authenticateActive(context, request);
  await countTry(context, AUTH_LIMITS.ownMails, { ip, email: userId });
  const { code } = await context.db.transaction().execute((tx) =>
    issueOneTimeToken(tx, context.vault, {
      userId,
      email,
      type: 'reauthentication',
      redirectTo: context.siteUrl,
      challenge: undefined,
      askedFrom: printOf(context.vault, ip),
    }),
  );
  await sendAuthMail(context, { to: email, kind: 'reauthentication', userId, code });
}

/** Spends the nonce that was mailed. Throws AuthError: 400 `reauthentication_needed`, 422 `reauthentication_not_valid`, 429. */
export async function requireNonce(
  context: AuthContext,
  user: { userId: string; email: string },
  nonce: string | null | undefined,
  { ip }: Caller,
): Promise<void> {
  if (!nonce)
    throw new AuthError(
      400,
      'reauthentication_needed',
      'Your last sign-in was a while ago. Ask for a code by email (reauthenticate), and send it along as nonce.',
    );
  await countTry(context, AUTH_LIMITS.ownGuesses, { ip, email: user.userId });
  // A transaction of its own: a wrong nonce is refused, and counted all the same.
  const spent = await context.db
    .transaction()
    .execute((tx) => spendNonce(tx, context, { ...user, network: printOf(context.vault, ip) }, nonce));
  if (!spent) throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

async function spendNonce(
  tx: Tx,
  { vault }: AuthContext,
  { userId, email, network }: { userId: string; email: string; network: string },
  nonce: string,
): Promise<boolean> {
  await lockUser(tx, userId);
  const guess = { userId, email, types: ['reauthentication'], code: nonce.trim() } as const;
  const { mail } = await matchCode(tx, vault, guess, { network, reach: 'all' });
  if (mail) await spend(tx, mail);
  return mail !== undefined;
}
