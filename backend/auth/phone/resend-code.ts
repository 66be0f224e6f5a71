import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { askForCode } from './ask-for-code.ts';
import { resendPhoneChange } from './change-phone.ts';

/**
 * Texts a code once more, the same one while it works. A number that waits for none is answered as the others are.
 * @throws AuthError
 */
export async function resendCode(
  context: AuthContext,
  { type, ...ask }: { type: 'sms' | 'phone_change'; phone: string; ip: string },
): Promise<void> {
  if (type === 'phone_change') return resendPhoneChange(context, ask);
  try {
    await askForCode(context, { ...ask, discreet: true });
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'otp_disabled')) throw error;
  }
}
