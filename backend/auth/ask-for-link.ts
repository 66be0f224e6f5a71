import { AuthError, deniedError } from './auth-error.ts';
import type { AuthContext } from './context.ts';
import { AUTH_LIMITS } from './limits.ts';
import { signInMail } from './mail-template.ts';
import { issueOneTimeToken, type MailType } from './one-time-tokens.ts';
import type { PkceChallenge } from './pkce.ts';
import { countTry } from './rate-limit.ts';
import { withQuery } from './redirects.ts';
import { findOrMakeUser, findUserByEmail } from './users.ts';

export type AskForLink = {
  /** Normalised. */
  email: string;
  type: MailType;
  /** Whether a user may be made for an address that has none. */
  createUser: boolean;
  /** `user_metadata` of a user who is made. */
  metadata: object;
  challenge: PkceChallenge | undefined;
  /** An allowed address. */
  redirectTo: string;
};

/** Mails a link and a code. The caller has counted the IP. Throws AuthError: 429, 403 of the gate, 422 `otp_disabled`, 500. */
export async function askForLink(context: AuthContext, ask: AskForLink): Promise<void> {
  const { db, vault, gate, siteUrl, sendMail, log } = context;
  await countTry(context, AUTH_LIMITS.asksPerAddressShort, ask.email);
  await countTry(context, AUTH_LIMITS.asksPerAddress, ask.email);
  const decision = await gate.decide(ask.email);
  if (!decision.allow) throw deniedError(decision);
  if (!ask.createUser && !(await findUserByEmail(db, ask.email)))
    throw new AuthError(422, 'otp_disabled', 'There is no account with this address, and none was to be made.');

  const issued = await db.transaction().execute(async (tx) => {
    const user = await findOrMakeUser(tx, ask.email, ask.metadata);
    return { userId: user.id, ...(await issueOneTimeToken(tx, vault, { ...ask, userId: user.id })) };
  });
  const link = withQuery(`${siteUrl}/auth/v1/verify`, {
    token: issued.linkToken,
    type: ask.type,
    redirect_to: ask.redirectTo,
  });
  try {
    await sendMail({ to: ask.email, ...signInMail({ link, code: issued.code, siteUrl }) });
  } catch (error) {
    // Mail servers repeat the address in what they say, and logs hold no addresses.
    const reason = String(error).replaceAll(ask.email, '…');
    log.error({ reason, userId: issued.userId }, 'A sign-in mail could not be sent');
    throw new AuthError(500, 'unexpected_failure', 'The e-mail could not be sent. Please try again in a minute.');
  }
}
