import { isDenied } from '#web/lib/backend/denied.ts';

/**
 * What the page's address brings back from a mailed link or another provider. That is nothing, a code to exchange, a
 * refusal, tokens, or the progress of a change of address. Tokens are not taken: with them, anyone could make a link
 * that signs others in as himself.
 */
export type Landing =
  | { kind: 'none' }
  | { kind: 'code' }
  | { kind: 'tokens' }
  | { kind: 'refused'; code: string }
  | { kind: 'address'; news: AddressNews }
  /** Back from linking an identity: with a code, or with why there is none. */
  | { kind: 'identity'; code: string }
  | { kind: 'identity'; news: IdentityNews };

/**
 * Why a sign-in link did not sign in:
 * - `expired`: used before, or older than an hour
 * - `other_device`: opened in another browser than the one that asked for it
 * - `denied`: this person may not sign in
 * - `cancelled`, `unverified`, `provider`: someone else's sign-in was given up, has not verified the address, or did not work
 * - `failed`: anything else, such as no connection
 */
export type LandingProblem = 'expired' | 'other_device' | 'denied' | 'cancelled' | 'unverified' | 'provider' | 'failed';

/**
 * What a link to change one's address did:
 * - `address_half`: its mailbox has confirmed, the other one has not
 * - `address_changed`: both have
 * - `address_expired`: used before, older than an hour, or of a change that was given up
 * - `address_taken`, `address_denied`: the new address is someone else's by now, or may not sign in
 * - `address_failed`: anything else
 */
export type AddressNews =
  | 'address_half'
  | 'address_changed'
  | 'address_expired'
  | 'address_taken'
  | 'address_denied'
  | 'address_failed';

/** What became of linking an identity; `identity_taken`: an account has it already. */
export type IdentityNews = 'identity_linked' | 'identity_taken' | 'identity_cancelled' | 'identity_failed';

/** What the page that a link opened has to tell. */
export type LandingNews = LandingProblem | AddressNews | IdentityNews;

export const isAddressNews = (news: LandingNews): news is AddressNews => news.startsWith('address_');

export const isIdentityNews = (news: LandingNews): news is IdentityNews => news.startsWith('identity_');

/** Stands in the address that the links of a change of address lead to. */
export const ADDRESS_LANDING = 'change=address';
/** Stands in the address that linking an identity leads back to. */
export const IDENTITY_LANDING = 'change=identity';

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
  if (isDenied({ message: found.get('error_description') })) return 'address_denied';
  if (code !== null) {
    if (EXPIRED_CODES.has(code)) return 'address_expired';
    if (isDenied({ code })) return 'address_denied';
    return code === 'email_exists' ? 'address_taken' : 'address_failed';
  }
  if (found.get('message')?.startsWith(HALF_CONFIRMED)) return 'address_half';
  return found.has('code') || found.has('access_token') ? 'address_changed' : undefined;
}

/** Why an identity was not linked, by the code of the refusal. */
export const identityNews = (code: string | undefined): IdentityNews => {
  if (code === 'identity_already_exists') return 'identity_taken';
  return code === CANCELLED ? 'identity_cancelled' : 'identity_failed';
};

/** The code of a refusal. Providers have none of ours: that someone thought better of it is told by OAuth's word alone. */
function refusalCode(found: URLSearchParams): string {
  if (isDenied({ message: found.get('error_description') })) return DENIED;
  return found.get('error_code') ?? (found.get('error') === 'access_denied' ? CANCELLED : '');
}

export function readLanding(href: string): Landing {
  const found = parameters(new URL(href));
  const news = found.get('change') === 'address' ? addressNews(found) : undefined;
  if (news) return { kind: 'address', news };
  const isRefused = ['error', 'error_code', 'error_description'].some((name) => found.has(name));
  const code = found.get('code');
  if (found.get('change') === 'identity' && (isRefused || code !== null))
    return code === null || isRefused
      ? { kind: 'identity', news: identityNews(refusalCode(found)) }
      : { kind: 'identity', code };
  if (isRefused) return { kind: 'refused', code: refusalCode(found) };
  if (found.has('access_token')) return { kind: 'tokens' };
  return code === null ? { kind: 'none' } : { kind: 'code' };
}

/** The same address without what the link brought: path, query and hash. */
export function withoutLanding(href: string): string {
  const url = new URL(href);
  for (const name of SEARCH_PARAMETERS) url.searchParams.delete(name);
  const hash = /(^#|&)(error|error_code|error_description|access_token|message)=/.test(url.hash) ? '' : url.hash;
  return `${url.pathname}${url.search}${hash}`;
}

/** The gate's, as our own backend has it. */
const DENIED = 'access_denied';
/** Stands for a refusal by the person themselves. */
const CANCELLED = 'cancelled';
const PROVIDER_CODES = new Set(['bad_oauth_state', 'bad_oauth_callback']);
const EXPIRED_CODES = new Set(['otp_expired', 'flow_state_expired', 'flow_state_not_found']);

/** What went wrong at a landing; undefined if someone is signed in afterwards. `error` is the client's, if it had one. */
export function landingProblem(
  landing: Landing,
  error: { name?: string; code?: string | undefined; message?: string } | null,
  signedIn: boolean,
): LandingProblem | undefined {
  if (landing.kind === 'none' || signedIn) return undefined;
  const code = landing.kind === 'refused' ? landing.code : (error?.code ?? '');
  if (isDenied({ code, message: error?.message })) return 'denied';
  if (EXPIRED_CODES.has(code)) return 'expired';
  if (code === CANCELLED) return 'cancelled';
  if (code === 'provider_email_needs_verification') return 'unverified';
  if (PROVIDER_CODES.has(code)) return 'provider';
  if (landing.kind !== 'code') return 'failed';
  // The client leaves a code alone when it holds no verifier for it: it was asked for elsewhere.
  const verifierMissing = !error || error.name === 'AuthPKCECodeVerifierMissingError' || code === 'bad_code_verifier';
  return verifierMissing ? 'other_device' : 'failed';
}
