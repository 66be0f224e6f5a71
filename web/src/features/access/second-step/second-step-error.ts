import { type AuthFailure, isRateLimited, SOMETHING_WRONG } from '#web/features/access/codes/sign-in-messages.ts';
import { sendingErrorText } from '#web/features/access/codes/text-errors.ts';
import { tryAgainText } from '#web/lib/backend/waits.ts';
import { NOT_CONFIRMED } from '#web/lib/session/fresh-proof.ts';

/** Why something about the second step did not work, in words for the person. */
export class SecondStepError extends Error {
  override name = 'SecondStepError';

  /** `codeOf`: what shows the code that was typed. */
  constructor(failure: AuthFailure, codeOf: 'app' | 'text' | 'recovery' = 'app') {
    super(secondStepErrorText(failure, codeOf));
  }
}

function secondStepErrorText(failure: AuthFailure, codeOf: 'app' | 'text' | 'recovery'): string {
  const sending = sendingErrorText(failure);
  if (sending) return sending;
  if (isRateLimited(failure)) return `Too many codes were entered. ${tryAgainText(failure.message)}`;
  switch (failure.code) {
    case 'mfa_verification_failed':
      if (codeOf === 'recovery') return 'That code is wrong or was already used. Try another one.';
      return codeOf === 'text'
        ? 'That code is wrong or was already used. Check the six digits of the newest text message.'
        : 'That code is wrong or was already used. Wait for the next one, then type it.';
    case 'mfa_challenge_expired':
      return codeOf === 'text'
        ? 'That took too long. Request a new code.'
        : 'That took too long. Enter the code that the app shows now.';
    case 'reauthentication_needed':
      return NOT_CONFIRMED;
    case 'insufficient_aal':
      return 'Sign out, then sign in again with your second step before you change it.';
    case 'too_many_enrolled_mfa_factors':
      return 'You already have ten. Remove one first.';
    case 'mfa_verified_factor_exists':
      return 'This phone is one of your second steps already.';
    case 'mfa_phone_enroll_not_enabled':
    case 'phone_provider_disabled':
      return 'Text messages are not available here. Use an authenticator app.';
    case 'mfa_factor_not_found':
      return 'This second step was removed elsewhere. Reload the page.';
    default:
      return SOMETHING_WRONG;
  }
}
