import { DENIAL_REASONS, denialText } from '#contract/auth.ts';
import { BACKEND_DISABLED } from '#web/lib/supabase.ts';
import { type AuthFailure, DENIED_CODES, isRateLimited, SOMETHING_WRONG } from './sign-in-messages.ts';

/** Why an address was not changed, in words for the person, and the field that it is about. */
export class AddressError extends Error {
  override name = 'AddressError';
  readonly about: 'email' | 'code' | undefined;
  /** The last sign-in was a while ago: a code of the present mailbox has to come along. */
  readonly needsCode: boolean;

  constructor(message: string, about?: 'email' | 'code', needsCode = false) {
    super(message);
    this.about = about;
    this.needsCode = needsCode;
  }
}

const GATE_TEXTS = DENIAL_REASONS.map(denialText);

/** The gate's own words, which are ours; another backend's are not shown. */
const deniedText = ({ message }: AuthFailure) => (GATE_TEXTS.includes(message) ? message : denialText(undefined));

/** The backend's refusal of a change, a repetition or a code. */
export function addressError(error: AuthFailure): AddressError {
  if (error.code === 'backend_disabled') return new AddressError(BACKEND_DISABLED);
  if (isRateLimited(error))
    return new AddressError('This was asked for too often. Wait a minute, then try again; what you typed stays.');
  if (DENIED_CODES.has(error.code ?? '')) return new AddressError(deniedText(error), 'email');
  switch (error.code) {
    case 'email_exists':
      return new AddressError('Another account has this address. Sign in with it, or use a different one.', 'email');
    case 'email_address_invalid':
    case 'validation_failed':
      return new AddressError('Enter an email address such as name@company.com.', 'email');
    case 'reauthentication_needed':
      return new AddressError('Your last sign-in was a while ago, so we need to know that it is you.', undefined, true);
    case 'reauthentication_not_valid':
      return new AddressError('That code is wrong, used or expired. Check the six digits, or send another.', 'code');
    default:
      return new AddressError(SOMETHING_WRONG);
  }
}
