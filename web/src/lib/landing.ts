/**
 * What an address brings from a sign-in link: nothing, a code to exchange, a refusal, or ready-made tokens. Tokens are
 * not taken: with them, anybody could make a link that signs others in as himself.
 */
export type Landing = { kind: 'none' } | { kind: 'code' } | { kind: 'tokens' } | { kind: 'refused'; code: string };

/**
 * Why a sign-in link did not sign in:
 * - `expired`: used before, or older than an hour
 * - `other_device`: opened in another browser than the one that asked for it
 * - `denied`: this person may not sign in
 * - `failed`: anything else, such as no connection
 */
export type LandingProblem = 'expired' | 'other_device' | 'denied' | 'failed';

const SEARCH_PARAMETERS = ['code', 'error', 'error_code', 'error_description', 'sb_flow_id'];

function parameters(url: URL): URLSearchParams {
  const all = new URLSearchParams(url.search);
  for (const [name, value] of new URLSearchParams(url.hash.replace(/^#/, ''))) all.set(name, value);
  return all;
}

export function readLanding(href: string): Landing {
  const found = parameters(new URL(href));
  if (found.has('error') || found.has('error_code') || found.has('error_description')) {
    return { kind: 'refused', code: found.get('error_code') ?? '' };
  }
  if (found.has('access_token')) return { kind: 'tokens' };
  return found.has('code') ? { kind: 'code' } : { kind: 'none' };
}

/** The same address without what the link brought: path, query and hash. */
export function withoutLanding(href: string): string {
  const url = new URL(href);
  for (const name of SEARCH_PARAMETERS) url.searchParams.delete(name);
  const hash = /(^#|&)(error|error_code|error_description|access_token)=/.test(url.hash) ? '' : url.hash;
  return `${url.pathname}${url.search}${hash}`;
}

const DENIED_CODES = new Set(['access_denied', 'user_banned', 'signup_disabled', 'email_address_not_authorized']);
const EXPIRED_CODES = new Set(['otp_expired', 'flow_state_expired', 'flow_state_not_found']);

/** What went wrong at a landing; undefined if somebody is signed in afterwards. `error` is the client's, if it had one. */
export function landingProblem(
  landing: Landing,
  error: { name?: string; code?: string | undefined } | null,
  signedIn: boolean,
): LandingProblem | undefined {
  if (landing.kind === 'none' || signedIn) return undefined;
  const code = landing.kind === 'refused' ? landing.code : (error?.code ?? '');
  if (DENIED_CODES.has(code)) return 'denied';
  if (EXPIRED_CODES.has(code)) return 'expired';
  if (landing.kind !== 'code') return 'failed';
  // The client leaves a code alone when it holds no verifier for it: it was asked for elsewhere.
  const verifierMissing = !error || error.name === 'AuthPKCECodeVerifierMissingError' || code === 'bad_code_verifier';
  return verifierMissing ? 'other_device' : 'failed';
}
