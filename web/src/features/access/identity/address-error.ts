import type { AuthFailure } from '#web/features/access/codes/sign-in-messages.ts';
import { ChangeError, changeError } from './change-error.ts';

/** The backend's refusal of a change of address, a repetition or a code. */
export function addressError(error: AuthFailure): ChangeError {
  switch (error.code) {
    case 'email_exists':
      return new ChangeError('Another account has this address. Sign in with it, or use a different one.', 'email');
    case 'email_address_invalid':
    case 'validation_failed':
      return new ChangeError('Enter an email address such as name@company.com.', 'email');
    default:
      return changeError(error, 'email');
  }
}
