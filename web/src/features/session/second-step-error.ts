import { type AuthFailure, isRateLimited, SOMETHING_WRONG } from './sign-in-messages.ts';

/** Why something about the second step did not work, in words for the person. */
export class SecondStepError extends Error {
  override name = 'SecondStepError';

  constructor(failure: AuthFailure) {
    super(secondStepErrorText(failure));
  }
}

function secondStepErrorText(failure: AuthFailure): string {
  if (failure.code === 'over_sms_send_rate_limit')
    return 'A text message was just sent. Wait a minute, then try again.';
  if (failure.code === 'sms_send_failed') return 'The text message could not be sent. Try again in a minute.';
  if (isRateLimited(failure)) return 'Too many codes were tried. Wait an hour, then try again.';
  switch (failure.code) {
    case 'mfa_verification_failed':
      return 'That code is wrong or was used already. Wait for the next one, then type it.';
    case 'mfa_challenge_expired':
      return 'That took too long. Type the code that is shown now.';
    case 'insufficient_aal':
      return 'Sign out and in again, and prove your second step before you change it.';
    case 'too_many_enrolled_mfa_factors':
      return 'There are ten already. Remove one first.';
    case 'mfa_factor_not_found':
      return 'This second step was removed elsewhere. Reload the page.';
    default:
      return SOMETHING_WRONG;
  }
}
