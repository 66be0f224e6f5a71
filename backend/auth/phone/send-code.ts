import { AuthError } from '#backend/auth/auth-error.ts';
import type { AuthContext } from '#backend/auth/context.ts';

/** Who sends text messages. Throws AuthError 400 `phone_provider_disabled` where nobody does. */
export function requireSms({ sendSms }: Pick<AuthContext, 'sendSms'>): NonNullable<AuthContext['sendSms']> {
  if (!sendSms) throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  return sendSms;
}

/**
 * Texts a code. `phone`: digits only. Throws AuthError: 400 `phone_provider_disabled`, 422 `sms_send_failed` for a number that can not
 * be reached, 500 `sms_send_failed`, which tell nothing of who sends.
 */
export async function sendCode(
  context: AuthContext,
  { phone, code, userId }: { phone: string; code: string; userId: string },
): Promise<void> {
  const { siteUrl, log } = context;
  const sendSms = requireSms(context);
  const text = `${code} is your Fairlead code for ${new URL(siteUrl).host}. Nobody but you needs it.`;
  let outcome: 'sent' | 'bad number';
  try {
    outcome = await sendSms({ to: `+${phone}`, text });
  } catch (error) {
    // Who sends may repeat the number in what they say, and logs hold none.
    log.error(
      { reason: String(error).replaceAll(phone, '…'), userId },
      'A text message of the sign-in could not be sent',
    );
    throw new AuthError(500, 'sms_send_failed', 'The text message could not be sent. Please try again in a minute.');
  }
  if (outcome === 'bad number')
    throw new AuthError(422, 'sms_send_failed', 'This number can not be reached by text message. Please check it.');
}
