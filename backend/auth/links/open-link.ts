import { sql } from 'kysely';
import { confirmEmailChange, ONE_CONFIRMED } from '#backend/auth/account/confirm-email-change.ts';
import { takeConfirmation } from '#backend/auth/account/take-confirmation.ts';
import {
  type FoundMail,
  findByLink,
  type OneTimeTokenRow,
  spend,
  type VerifyType,
} from '#backend/auth/codes/one-time-tokens.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { withFragment, withQuery, withSession } from '#backend/auth/kit/redirects.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { hashOfToken, newToken } from '#backend/auth/kit/secrets.ts';
import { keepSaid, saidBy } from '#backend/auth/people/metadata.ts';
import { type Decided, decideFirst, openSession } from '#backend/auth/sessions/open-session.ts';
import { sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';

/**
 * A click on a mail's link. Returns the address to go on to: with `?code=` for the browser that began a PKCE flow, else with the
 * session in the fragment.
 * @throws AuthError `otp_expired` for what is unknown, used or too old, 403 of the gate, 429.
 */
export async function openLink(
  context: AuthContext,
  link: { token: string; type: VerifyType; redirectTo: string },
  caller: Caller,
): Promise<string> {
  await countTry(context, AUTH_LIMITS.guesses, caller);
  // Loaded before the transaction: two connections held by one request could starve the pool.
  const signing = await context.signingKeys.current();
  const asked = await context.db.transaction().execute((tx) => findByLink(tx, link.token, link.type));
  if (!asked) throw linkExpired();
  const decided = await decideFirst(context.gate, asked.user, link.type);
  const opened = await context.db.transaction().execute(async (tx) => {
    const found = await findByLink(tx, link.token, link.type);
    if (!found) return { state: 'expired' } as const;
    if (link.type === 'email_change') return confirmByLink(tx, context, found, decided, caller);
    if (found.mail.flow_state_id) return issueCode(tx, found.mail, found.mail.flow_state_id);
    await spend(tx, found.mail);
    const user = await keepSaid(tx, found.user, saidBy(context.vault, found.mail, caller.ip));
    return openSession(tx, context, user, decided, { ...caller, way: 'link' });
  });
  if (opened.state === 'expired') throw linkExpired();
  if (opened.state === 'one_confirmed') {
    const say = asked.mail.flow_state_id ? withQuery : withFragment;
    return say(link.redirectTo, { message: ONE_CONFIRMED });
  }
  const about = { email: decided.email, at: 'sign_in', ip: caller.ip } as const;
  if (opened.state === 'denied') throw await refuse(context, opened.denial, about);
  if (opened.state === 'code') {
    // Refused at the click rather than at the exchange, because there the page knows less about what to say.
    if (!decided.decision.allow) throw await refuse(context, decided.decision, about);
    return withQuery(link.redirectTo, { code: opened.authCode });
  }
  return withSession(link.redirectTo, sessionAnswer(opened.session, signing), link.type);
}

export const linkExpired = () => new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');

type IssuedCode = { state: 'code'; authCode: string };

/** The link is spent; its mail stays until the session is made, so that the code still works where the link did not. */
async function issueCode(tx: Tx, mail: OneTimeTokenRow, flowId: string): Promise<IssuedCode> {
  await tx.updateTable('auth.one_time_tokens').set({ link_hash: null }).where('id', '=', mail.id).execute();
  return issueAuthCode(tx, flowId);
}

async function issueAuthCode(tx: Tx, flowId: string): Promise<IssuedCode> {
  const authCode = newToken();
  await tx
    .updateTable('auth.flow_state')
    .set({ auth_code_hash: hashOfToken(authCode), auth_code_issued_at: sql<Date>`now()` })
    .where('id', '=', flowId)
    .execute();
  return { state: 'code', authCode };
}

/** In a PKCE flow the address is changed at the click, in whichever browser: only the session is kept for the one that asked. */
async function confirmByLink(tx: Tx, context: AuthContext, found: FoundMail, decided: Decided, caller: Caller) {
  const flowId = found.mail.flow_state_id;
  if (!flowId) return takeConfirmation(tx, context, found, decided, { ...caller, way: 'link' });
  const outcome = await confirmEmailChange(tx, context, found, decided, caller);
  return outcome.state === 'both_confirmed' ? issueAuthCode(tx, flowId) : outcome;
}
