import { denialText } from '#contract/access/precheck.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { deniedText, isDenied } from '#web/lib/backend/denied.ts';
import { BACKEND_DISABLED } from '#web/lib/backend/supabase.ts';
import { waitsUntil } from '#web/lib/backend/waits.ts';
import { NOT_CONFIRMED } from '#web/lib/session/fresh-proof.ts';
import type { LandingNews } from '#web/lib/session/landing.ts';
import type { Tone } from '#web/ui/feedback/tone.ts';

/** Spec section 8: network or other failure. */
export const SOMETHING_WRONG = 'Something went wrong. Please try again later.';

/** What of the backend client's errors is looked at. */
export type AuthFailure = { status?: number | undefined; code?: string | undefined; message: string };

export const isRateLimited = ({ status, code }: AuthFailure) => status === 429 || code?.startsWith('over_') === true;

/** When it can be tried again, in ms since 1970; undefined for what was not refused for being too often. */
export const limitedUntil = (error: unknown): number | undefined =>
  error instanceof Error && isRateLimited(error) ? waitsUntil(error.message) : undefined;

// For how long is what the button counts down beside it.
const TOO_MANY_LINKS = 'Too many sign-in links were requested.';

/** Why the precheck could not be asked. */
export const precheckErrorText = (error: unknown): string =>
  error instanceof ApiError && isRateLimited(error) ? TOO_MANY_LINKS : SOMETHING_WRONG;

/** Why no link was sent. */
export function linkErrorText(error: AuthFailure): string {
  if (error.code === 'backend_disabled') return BACKEND_DISABLED;
  if (isDenied(error)) return deniedText(error);
  if (isRateLimited(error)) return TOO_MANY_LINKS;
  if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
    return 'Enter an email address such as name@company.com.';
  return SOMETHING_WRONG;
}

/** Why a six-digit code did not sign in. */
export function codeErrorText(error: AuthFailure): string {
  if (error.code === 'backend_disabled') return BACKEND_DISABLED;
  if (isDenied(error)) return deniedText(error);
  if (isRateLimited(error)) return 'Too many codes were entered. The link in the email still works.';
  if (error.code === 'otp_expired' || error.code === 'validation_failed')
    return 'That code is wrong or has expired. Check the six digits and the email address, or send a new link.';
  return SOMETHING_WRONG;
}

/** Why an identity could not be linked or unlinked. */
export function identityErrorText({ code }: Error & { code?: string | undefined }): string {
  switch (code) {
    case 'single_identity_not_deletable':
      return 'You have signed in only this way. Sign in once with an emailed link, then unlink it.';
    case 'manual_linking_disabled':
      return 'Linking is turned off here.';
    case 'reauthentication_needed':
      return NOT_CONFIRMED;
    case 'insufficient_aal':
      return 'Confirm your second step first.';
    default:
      return SOMETHING_WRONG;
  }
}

/** What to tell someone whose sign-in did not work, or who comes back from changing their account. */
export function landingText(news: LandingNews): { tone: Tone; title: string; text: string } {
  switch (news) {
    case 'expired':
      return {
        tone: 'warning',
        title: 'This sign-in link no longer works',
        text: 'A link works once, within one hour. If the email is less than 10 minutes old, enter its six-digit code. Otherwise, send a new link.',
      };
    case 'other_device':
      return {
        tone: 'warning',
        title: 'This link was opened in another browser',
        text: 'A link signs in only the browser that requested it. To sign in here, enter the six-digit code from the same email.',
      };
    case 'denied':
      return { tone: 'warning', title: 'You cannot sign in', text: denialText(undefined) };
    case 'cancelled':
      return {
        tone: 'warning',
        title: 'You are not signed in',
        text: 'Sign-in was canceled. Try again, or use an emailed link.',
      };
    case 'unverified':
      return {
        tone: 'warning',
        title: 'That address is not verified',
        text: 'The provider has not verified the email address of that account. Use an emailed link instead.',
      };
    case 'provider':
      return {
        tone: 'warning',
        title: 'Sign-in failed',
        text: 'It took too long, or the provider’s response could not be used. Try again, or use an emailed link.',
      };
    case 'identity_linked':
      return { tone: 'success', title: 'Account linked', text: 'You can now sign in with it too.' };
    case 'identity_taken':
      return {
        tone: 'warning',
        title: 'Account not linked',
        text: 'It is already linked to this account or another one. Unlink it there first, or choose a different one.',
      };
    case 'identity_cancelled':
      return { tone: 'warning', title: 'Account not linked', text: 'Linking was canceled. Nothing has changed.' };
    case 'identity_failed':
      return { tone: 'warning', title: 'Account not linked', text: 'Something went wrong. Try again.' };
    case 'failed':
      return {
        tone: 'warning',
        title: 'You could not be signed in',
        text: 'Please try again, or send a new link and open it in this browser.',
      };
    case 'address_half':
      return {
        tone: 'success',
        title: 'This mailbox is confirmed',
        text: 'Now open the link in the other mailbox. Your address changes as soon as both have confirmed.',
      };
    case 'address_changed':
      return {
        tone: 'success',
        title: 'Your address has changed',
        text: 'Both mailboxes have confirmed. From now on you sign in with the new address.',
      };
    case 'address_expired':
      return {
        tone: 'warning',
        title: 'This confirmation link no longer works',
        text: 'A link works once, within one hour, and only while the change is pending. You can send another from your account page.',
      };
    case 'address_taken':
      return {
        tone: 'warning',
        title: 'Your address was not changed',
        text: 'Another account now has the new address. Use a different one.',
      };
    case 'address_denied':
      return {
        tone: 'warning',
        title: 'Your address was not changed',
        text: 'The new address does not have access here. Use a different one, or contact support.',
      };
    case 'address_failed':
      return {
        tone: 'warning',
        title: 'Your address was not changed',
        text: 'The link could not be used. Open it again, or send another from your account page.',
      };
  }
}
