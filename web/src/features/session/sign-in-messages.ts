import { denialText } from '#contract/auth.ts';
import { ApiError } from '#web/lib/api-error.ts';
import type { LandingProblem } from '#web/lib/landing.ts';
import { BACKEND_DISABLED } from '#web/lib/supabase.ts';

/** Spec section 8: network or other failure. */
const SOMETHING_WRONG = 'Something went wrong. Please try again later.';

/** What of the backend client's errors is looked at. */
export type AuthFailure = { status?: number | undefined; code?: string | undefined; message: string };

const isRateLimited = ({ status, code }: AuthFailure) => status === 429 || code?.startsWith('over_') === true;

const DENIED_CODES = new Set(['access_denied', 'user_banned', 'signup_disabled', 'email_address_not_authorized']);

/** Why the precheck could not be asked. */
export function precheckErrorText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'RATE_LIMITED' && error.serverMessage) return error.serverMessage;
  return SOMETHING_WRONG;
}

/** Why no link was sent. */
export function linkErrorText(error: AuthFailure): string {
  if (error.code === 'backend_disabled') return BACKEND_DISABLED;
  if (DENIED_CODES.has(error.code ?? '')) return denialText(undefined);
  if (isRateLimited(error)) return 'Too many sign-in links were asked for. Wait a minute, then try again.';
  if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
    return 'Enter an email address such as name@company.com.';
  return SOMETHING_WRONG;
}

/** Why a six-digit code did not sign in. */
export function codeErrorText(error: AuthFailure): string {
  if (error.code === 'backend_disabled') return BACKEND_DISABLED;
  if (DENIED_CODES.has(error.code ?? '')) return denialText(undefined);
  if (isRateLimited(error)) return 'Too many codes were tried. Wait a few minutes, then try again.';
  if (error.code === 'otp_expired' || error.code === 'validation_failed')
    return 'That code is wrong or has expired. Check the six digits and the email address, or send a new link.';
  return SOMETHING_WRONG;
}

/** What to tell somebody whose link did not sign in. */
export function landingText(problem: LandingProblem): { title: string; text: string } {
  switch (problem) {
    case 'expired':
      return {
        title: 'This sign-in link no longer works',
        text: 'A link works once and for one hour. Enter the six-digit code of the same email, or send a new link.',
      };
    case 'other_device':
      return {
        title: 'This link was opened in another browser',
        text: 'A link signs in only the browser that asked for it. To sign in here, enter the six-digit code of the same email.',
      };
    case 'denied':
      return { title: 'You cannot sign in', text: denialText(undefined) };
    case 'failed':
      return { title: 'The link could not sign you in', text: 'Please send a new link and open it in this browser.' };
  }
}
