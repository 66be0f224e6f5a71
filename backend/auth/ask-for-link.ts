import { mailFor, markSent, type ToSend } from './asking/mail-of-network.ts';
import { type Place, placeOf } from './asking/networks.ts';
import { sentAlready } from './asking/sent-already.ts';
import { AuthError } from './auth-error.ts';
import { refuseBanned } from './banned.ts';
import type { AuthContext } from './context.ts';
import { askBeforeUserCreated } from './hooks/before-user-created.ts';
import { AUTH_LIMITS } from './limits.ts';
import type { PkceChallenge } from './pkce.ts';
import { countTries, type Excess } from './rate-limit.ts';
import { refuse } from './refuse.ts';
import { sendAuthMail } from './send-mail.ts';
import { findOrMakeUser, findUserByEmail, lockUser, newcomerAt, type UserRow } from './users.ts';

export type AskForLink = {
  /** Normalised. */
  email: string;
  type: 'magiclink' | 'recovery';
  /** Whether a user may be made for an address that has none. */
  createUser: boolean;
  /** `user_metadata` of a new user, once the mail has come back: whoever asks is not proven to be that person. */
  metadata: object;
  challenge: PkceChallenge | undefined;
  /** An allowed address. */
  redirectTo: string;
  /** Who asks; the caller has counted it. */
  ip: string;
  /** Nobody learns whether the address has an account. */
  discreet?: boolean;
};

/**
 * Mails a link and a code. Each network that asks has a mail of its own; asking again sends it again. Where strangers have asked too
 * often, they share what is on its way. Throws AuthError: 429, which says when a link that still works was sent; 403 of the gate or
 * `user_banned`, 422 `otp_disabled`, those of the hooks, 500.
 */
export async function askForLink(context: AuthContext, ask: AskForLink): Promise<void> {
  const { db, gate } = context;
  const known = await findUserByEmail(db, ask.email);
  const place = await placeOf(context, known?.id, ask.ip);
  const { own, full } = await countAsk(context, place, ask);
  const refused = own ?? (ask.discreet ? full : undefined);
  if (refused) throw await sentAlready(context, known, place, ask, refused);
  const decision = await gate.decide(ask.email);
  if (!decision.allow) throw await refuse(context, decision, { email: ask.email, at: 'link', ip: ask.ip });
  if (known) refuseBanned(known);
  if (!ask.createUser && !known) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  const newcomer = newcomerAt(ask.email, ask.metadata);
  if (!known) await askBeforeUserCreated(context, newcomer, ask);

  const { user, found } = await db.transaction().execute(async (tx) => {
    // Nothing that a stranger says of others is kept with them.
    const user = await findOrMakeUser(tx, { ...newcomer, metadata: {} });
    await lockUser(tx, user.id);
    const wish = { ...ask, userId: user.id };
    return { user, found: await mailFor(tx, context.vault, wish, place, full !== undefined) };
  });
  if ('shared' in found) throw await sentAlready(context, user, place, ask, full ?? SOON, found.shared);
  await send(context, ask, user, found);
}

/** When it is worth asking again where no limit says so. */
const SOON: Excess = { code: 'over_email_send_rate_limit', resetsInMs: 60_000 };

/** Too much of the network itself, or of strangers together. What the person's own networks ask for counts as theirs alone. */
async function countAsk(context: AuthContext, { familiar }: Place, ask: AskForLink) {
  const own = await countTries(context, AUTH_LIMITS.mails, ask);
  const full = own || familiar ? undefined : await countTries(context, AUTH_LIMITS.mailsToStrangers, ask);
  return { own, full };
}

async function send(context: AuthContext, ask: AskForLink, user: UserRow, mail: ToSend): Promise<void> {
  await sendAuthMail(context, {
    to: ask.email,
    kind: ask.type === 'recovery' ? 'recovery' : 'sign-in',
    userId: user.id,
    code: mail.code,
    link: { token: mail.linkToken, type: ask.type, redirectTo: ask.redirectTo },
  });
  await markSent(context.db, mail.mailId);
}
