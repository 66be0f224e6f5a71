import { AuthError } from './auth-error.ts';
import { refuseBanned } from './banned.ts';
import type { AuthContext } from './context.ts';
import { askBeforeUserCreated } from './hooks/before-user-created.ts';
import { AUTH_LIMITS } from './limits.ts';
import { issueOneTimeToken } from './one-time-tokens.ts';
import type { PkceChallenge } from './pkce.ts';
import { countTry } from './rate-limit.ts';
import { refuse } from './refuse.ts';
import { sendAuthMail } from './send-mail.ts';
import { findOrMakeUser, findUserByEmail, newcomerAt } from './users.ts';

export type AskForLink = {
  /** Normalised. */
  email: string;
  type: 'magiclink' | 'recovery';
  /** Whether a user may be made for an address that has none. */
  createUser: boolean;
  /** `user_metadata` of a user who is made. */
  metadata: object;
  challenge: PkceChallenge | undefined;
  /** An allowed address. */
  redirectTo: string;
  /** Who asks; the caller has counted it. */
  ip: string;
};

/** Mails a link and a code. Throws AuthError: 429, 403 of the gate or `user_banned`, 422 `otp_disabled`, those of the hooks, 500. */
export async function askForLink(context: AuthContext, ask: AskForLink): Promise<void> {
  const { db, vault, gate } = context;
  await countTry(context, AUTH_LIMITS.mails, ask);
  const decision = await gate.decide(ask.email);
  if (!decision.allow) throw await refuse(context, decision, { email: ask.email, at: 'link', ip: ask.ip });
  const known = await findUserByEmail(db, ask.email);
  if (known) refuseBanned(known);
  if (!ask.createUser && !known) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');

  const newcomer = newcomerAt(ask.email, ask.metadata);
  if (!known) await askBeforeUserCreated(context, newcomer, ask);

  const issued = await db.transaction().execute(async (tx) => {
    const user = await findOrMakeUser(tx, newcomer);
    return { userId: user.id, ...(await issueOneTimeToken(tx, vault, { ...ask, userId: user.id })) };
  });
  await sendAuthMail(context, {
    to: ask.email,
    kind: ask.type === 'recovery' ? 'recovery' : 'sign-in',
    userId: issued.userId,
    code: issued.code,
    link: { token: issued.linkToken, type: ask.type, redirectTo: ask.redirectTo },
  });
}
