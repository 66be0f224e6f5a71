/**
 * What an address brings from a mailed link: nothing, a code to exchange, a refusal, ready-made tokens, or how far a change
 * of one's e-mail address is. Tokens are not taken: with them, anybody could make a link that signs others in as himself.
 */
export type Landing =
  | { kind: 'none' }
  | { kind: 'code' }
  | { kind: 'tokens' }
  | { kind: 'refused'; code: string }
  | { kind: 'address'; news: AddressNews };

/**
 * Why a sign-in link did not sign in:
 * - `expired`: used before, or older than an hour
 * - `other_device`: opened in another browser than the one that asked for it
 * - `denied`: this person may not sign in
 * - `failed`: anything else, such as no connection
 */
export type LandingProblem = 'expired' | 'other_device' | 'denied' | 'failed';

/**
 * What a link to change one's address did:
 * - `address_half`: its mailbox has confirmed, the other one has not
 * - `address_changed`: both have
 * - `address_expired`: used before, older than an hour, or of a change that was given up
 * - `address_taken`, `address_denied`: the new address is somebody else's by now, or may not sign in
 * - `address_failed`: anything else
 */
export type AddressNews =
  | 'address_half'
  | 'address_changed'
  | 'address_expired'
  | 'address_taken'
  | 'address_denied'
  | 'address_failed';

/** What the page that a link opened has to tell. */
export type LandingNews = LandingProblem | AddressNews;

export const isAddressNews = (news: LandingNews): news is AddressNews => news.startsWith('address_');

/** Stands in the address that the links of a change of address lead to. */
export const ADDRESS_LANDING = 'change=address';

const SEARCH_PARAMETERS = ['code', 'error', 'error_code', 'error_description', 'sb_flow_id', 'change', 'message'];
/** How the backend's message for the first of the two mailboxes begins. */
const HALF_CONFIRMED = 'Confirmation link accepted';

function parameters(url: URL): URLSearchParams {
  const all = new URLSearchParams(url.search);
  for (const [name, value] of new URLSearchParams(url.hash.replace(/^#/, ''))) all.set(name, value);
  return all;
}

function addressNews(found: URLSearchParams): AddressNews | undefined {
  const code = found.get('error_code');
  if (code !== null) {
    if (EXPIRED_CODES.has(code)) return 'address_expired';
    if (DENIED_CODES.has(code)) return 'address_denied';
    return code === 'email_exists' ? 'address_taken' : 'address_failed';
  }
  if (found.get('message')?.startsWith(HALF_CONFIRMED)) return 'address_half';
  return found.has('code') || found.has('access_token') ? 'address_changed' : undefined;
}

export function readLanding(href: string): Landing {
  const found = parameters(new URL(href));
  const news = found.get('change') === 'address' ? addressNews(found) : undefined;
  if (news) return { kind: 'address', news };
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
  const hash = /(^#|&)(error|error_code|error_description|access_token|message)=/.test(url.hash) ? '' : url.hash;
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
