import { ChangeError, changeError } from '#web/features/access/identity/change-error.ts';
import { deniedText, isDenied } from '#web/lib/backend/denied.ts';
import { BACKEND_DISABLED } from '#web/lib/backend/supabase.ts';
import { tryAgainText } from '#web/lib/backend/waits.ts';
import { type AuthFailure, codeErrorText, isRateLimited, SOMETHING_WRONG } from './sign-in-messages.ts';

/** Why no text message was sent. Undefined for a failure that is not about sending. */
export function sendingErrorText({ code, status, message }: AuthFailure): string | undefined {
  switch (code) {
    case 'over_sms_send_rate_limit':
      return `A text message was just sent, or too many within the hour. ${tryAgainText(message)}`;
    case 'sms_send_failed':
      return status === 422
        ? 'No text message can be sent to this number. Check it, or use another.'
        : 'The text message could not be sent. Try again in a minute.';
    case 'validation_failed':
      return 'Enter the number with its country code, such as +1 217-555-0101.';
    default:
      return undefined;
  }
}

/** Why no code to sign in with was texted. */
export function signInTextErrorText(error: AuthFailure): string {
  if (error.code === 'backend_disabled') return BACKEND_DISABLED;
  if (error.code === 'otp_disabled')
    return 'This number cannot sign in. Sign in by email and confirm the number on the Account page first.';
  if (error.code === 'phone_provider_disabled') return 'Text messages are not available here. Sign in by email.';
  if (isDenied(error)) return deniedText(error);
  if (isRateLimited(error) && error.code !== 'over_sms_send_rate_limit')
    return `Too many codes were requested. ${tryAgainText(error.message)}`;
  return sendingErrorText(error) ?? SOMETHING_WRONG;
}

const WRONG_CODE = 'That code is wrong or has expired. Check the six digits of the newest text message.';

/** Why a texted code did not sign in. */
export function textedCodeErrorText(error: AuthFailure): string {
  if (isRateLimited(error)) return `Too many codes were entered. ${tryAgainText(error.message)}`;
  return error.code === 'otp_expired' || error.code === 'validation_failed' ? WRONG_CODE : codeErrorText(error);
}

/** The backend's refusal of a change of one's number, or of the code that was texted to it. */
export function phoneError(error: AuthFailure): ChangeError {
  if (error.code === 'phone_exists')
    return new ChangeError('Another account has this number. Use a different one.', 'phone');
  if (error.code === 'otp_expired') return new ChangeError(WRONG_CODE, 'code');
  const sending = sendingErrorText(error);
  return sending ? new ChangeError(sending, 'phone') : changeError(error, 'phone');
}
