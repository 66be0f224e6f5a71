import { joinWhatWasSent } from '#backend/auth/asking/join-what-was-sent.ts';
import { mailFor, markSent, type ToSend } from '#backend/auth/asking/mail-of-network.ts';
import { type Place, placeOf } from '#backend/auth/asking/networks.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTries, tooMany } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { sendAuthMail } from '#backend/auth/messages/send-mail.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { findOrMakeUser, findUserByEmail, lockUser, newcomerAt, type UserRow } from '#backend/auth/people/users.ts';
import type { LinkRequest } from './link-request.ts';

/** `since`: when the link went that the browser may finish with; none where the caller may not learn of it. `resetsInMs`: until another goes. */
export type Asked = { sent: true } | { sent: false; since?: Date; resetsInMs: number };

/**
 * Mails a link and a code. Each network that asks has a mail of its own; asking again sends it again. Where someone has asked too often, the
 * browser that asks may finish with the links that are on their way. No error then: clients forget their verifier at any.
 *
 * @throws AuthError: 429 where no link is on its way; 403 of the gate or `user_banned`, 422 `otp_disabled`, those of the hooks, 500.
 */
export async function askForLink(context: AuthContext, ask: LinkRequest): Promise<Asked> {
  const { db, gate } = context;
  const known = await findUserByEmail(db, ask.email);
  const place = await placeOf(context, known?.id, ask.ip);
  const { own, full } = await countAsk(context, place, ask);
  const excess = own ?? (ask.discreet ? full : undefined);
  if (excess) {
    const since = known && (await joinWhatWasSent(context, known, place, ask));
    if (ask.discreet) return { sent: false, resetsInMs: excess.resetsInMs };
    if (!since) throw tooMany(excess);
    return { sent: false, since, resetsInMs: excess.resetsInMs };
  }
  const decision = await gate.decide(ask.email);
  if (!decision.allow) throw await refuse(context, decision, { email: ask.email, at: 'link', ip: ask.ip });
  if (known) refuseBanned(known);
  if (!ask.createUser && !known) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  const newcomer = newcomerAt(ask.email, ask.metadata);
  if (!known) await context.hooks.beforeUserCreated?.(newcomer, ask);

  const { user, found } = await db.transaction().execute(async (tx) => {
    // Nothing that a stranger says of others is kept with them.
    const user = await findOrMakeUser(tx, { ...newcomer, metadata: {} });
    await lockUser(tx, user.id);
    const wish = { ...ask, userId: user.id };
    return { user, found: await mailFor(tx, context.vault, wish, place, full !== undefined) };
  });
  if ('shared' in found) return { sent: false, since: found.shared, resetsInMs: full?.resetsInMs ?? SOON_MS };
  await send(context, ask, user, found);
  return { sent: true };
}

/** When it is worth asking again where no limit says so. */
const SOON_MS = 60_000;

/** Too much of the network itself, or of strangers together. What the person's own networks ask for counts as theirs alone. */
async function countAsk(context: AuthContext, { familiar }: Place, ask: LinkRequest) {
  const own = await countTries(context, AUTH_LIMITS.mails, ask);
  const full = own || familiar ? undefined : await countTries(context, AUTH_LIMITS.mailsToStrangers, ask);
  return { own, full };
}

async function send(context: AuthContext, ask: LinkRequest, user: UserRow, mail: ToSend): Promise<void> {
  await sendAuthMail(context, {
    to: ask.email,
    kind: ask.type === 'recovery' ? 'recovery' : 'sign-in',
    userId: user.id,
    code: mail.code,
    ends: mail.ends,
    link: { token: mail.linkToken, type: ask.type, redirectTo: ask.redirectTo },
  });
  await markSent(context.db, mail.mailId);
}
