import { emailExists } from '#backend/auth/account/confirm-email-change.ts';
import { issueChangeSide } from '#backend/auth/account/email-change.ts';
import { issueOneTimeToken, type VerifyType } from '#backend/auth/codes/one-time-tokens.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { verifyAddress } from '#backend/auth/messages/send-mail.ts';
import {
  findOrMakeUser,
  findUserByEmail,
  lockUser,
  type Newcomer,
  type UserJson,
  type UserRow,
} from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { LinkType } from './admin-bodies.ts';
import { asUserJson } from './find-user.ts';
import { admitNewcomer, findOrInvite } from './invite-user.ts';

export type LinkWish = {
  type: LinkType;
  /** Normalized. */
  email: string;
  /** Normalized; for a change of address. */
  newEmail: string | undefined;
  metadata: Record<string, unknown>;
  /** An allowed address. */
  redirectTo: string;
};

/** The user, and what a mail would have held. */
export type GeneratedLink = UserJson & {
  action_link: string;
  email_otp: string;
  hashed_token: string;
  verification_type: string;
  redirect_to: string;
};

type Issued = { user: UserRow; token: string; code: string };

/**
 * The link and code of a mail that is not sent: anyone who has them signs in as that person, if the gate lets them.
 * @throws AuthError 403 of the gate or a hook, 422 `email_exists`, 404 `user_not_found`, 400 `validation_failed`.
 */
export async function generateLink(context: AuthContext, wish: LinkWish, { ip }: Caller): Promise<GeneratedLink> {
  const change = wish.type === 'email_change_current' || wish.type === 'email_change_new';
  const known = await findUserByEmail(context.db, wish.email);
  if (!known && (change || wish.type === 'recovery'))
    throw new AuthError(404, 'user_not_found', 'User with this email not found');
  const newcomer = await admitNewcomer(context, wish, { ip });
  const type = wish.type === 'magiclink' && !known ? 'signup' : wish.type;
  const { user, token, code } = await context.db.transaction().execute(async (tx) => {
    const issued = await issue(tx, context, { ...wish, type }, newcomer);
    await context.onEvent(tx, { type: 'administered', act: 'link made', userId: issued.user.id, ip });
    return issued;
  });
  const opens: VerifyType = type === 'email_change_current' || type === 'email_change_new' ? 'email_change' : type;
  return {
    ...(await asUserJson(context.db, user)),
    action_link: verifyAddress(context.siteUrl, { token, type: opens, redirectTo: wish.redirectTo }),
    email_otp: code,
    hashed_token: token,
    verification_type: type,
    redirect_to: wish.redirectTo,
  };
}

async function issue(tx: Tx, context: AuthContext, wish: LinkWish, newcomer: Newcomer): Promise<Issued> {
  const { type, email, redirectTo } = wish;
  if (type === 'email_change_current' || type === 'email_change_new')
    return issueChange(tx, context, { ...wish, type });
  const user = await (type === 'invite' ? findOrInvite : findOrMakeUser)(tx, newcomer);
  if (type === 'signup' && user.email_confirmed_at) throw emailExists();
  const { linkToken, code } = await issueOneTimeToken(tx, context.vault, {
    userId: user.id,
    email,
    type,
    redirectTo,
    challenge: undefined,
  });
  return { user, token: linkToken, code };
}

async function issueChange(
  tx: Tx,
  context: AuthContext,
  { type, email, newEmail, redirectTo }: LinkWish & { type: 'email_change_current' | 'email_change_new' },
): Promise<Issued> {
  if (!newEmail) throw new AuthError(400, 'validation_failed', 'new_email is required');
  if (await findUserByEmail(tx, newEmail)) throw emailExists();
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user) throw new AuthError(404, 'user_not_found', 'User with this email not found');
  const mailing = { challenge: undefined, redirectTo };
  const { changing, mail } = await issueChangeSide(tx, context, user, { newEmail, side: type, mailing });
  return { user: changing, token: mail.link.token, code: mail.code };
}
