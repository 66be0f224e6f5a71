import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { withQuery, withRefusal, withSession } from '#backend/auth/kit/redirects.ts';
import { findProvider } from './begin-oauth.ts';
import { type FlowRow, issueAuthCode } from './flows.ts';
import { refuseToLink } from './link-identity.ts';
import { readAnswer } from './read-answer.ts';
import { decideAbout, signInAs } from './sign-in-as.ts';

/** What a provider may say, by RFC 6749 4.1.2.1 and OpenID Connect 3.1.2.6. */
const REFUSALS = new Set([
  ...['access_denied', 'temporarily_unavailable', 'interaction_required', 'login_required', 'consent_required'],
  'account_selection_required',
]);

/**
 * Takes what a provider sent the browser back with. Returns the address to go on to: with `?code=` for the browser that began a PKCE flow,
 * with the session in the fragment for another, with the provider's refusal for both.
 * @throws AuthError of `readAnswer`, 403 `provider_email_needs_verification`, 422 `identity_already_exists`, 403 of the gate.
 */
export async function returnFromProvider(
  context: AuthContext,
  flow: FlowRow,
  query: URLSearchParams,
  caller: Caller,
): Promise<string> {
  const answer = await readAnswer(context, findProvider(context, flow.provider), query);
  if (answer.state === 'refused') {
    const error = REFUSALS.has(answer.error) ? answer.error : 'server_error';
    return withRefusal(flow.redirect_to, { error, error_description: 'The sign-in service did not sign you in.' });
  }
  const { identity } = answer;
  if (!flow.code_challenge) return withSession(flow.redirect_to, await signInAs(context, identity, caller));
  // Refused here rather than at the exchange, because there the page knows less about what to say.
  if (flow.session_id) await refuseToLink(context.db, flow.session_id, identity);
  else await decideAbout(context, identity, caller);
  return withQuery(flow.redirect_to, { code: await issueAuthCode(context, flow.id, identity) });
}
