import { getUserById } from '#backend/auth/admin/find-user.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';

/** Whether anyone sends text messages. */
export const hasSms = ({ sendSms, hooks }: Pick<AuthContext, 'sendSms' | 'hooks'>): boolean =>
  (sendSms ?? hooks.sendSms) !== undefined;

/** @throws AuthError 400 `phone_provider_disabled` where no one sends text messages. */
export function requireSms(context: Pick<AuthContext, 'sendSms' | 'hooks'>): void {
  if (!hasSms(context)) throw smsDisabled();
}

const smsDisabled = () => new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');

/**
 * Texts a code. `phone`: digits only. `isFactor`: for a second step.
 * @throws AuthError 400 `phone_provider_disabled`, 422 `sms_send_failed` for a number that cannot be reached, 500 `sms_send_failed`, which
 * tell nothing of who sends; those of the hook.
 */
export async function sendCode(
  context: AuthContext,
  { isFactor = false, ...message }: { phone: string; code: string; userId: string; isFactor?: boolean },
): Promise<void> {
  const { siteUrl, log, sendSms, hooks } = context;
  const { phone, code, userId } = message;
  if (hooks.sendSms) return hooks.sendSms(await getUserById(context.db, userId), { phone, code, isFactor });
  if (!sendSms) throw smsDisabled();
  const text = `${code} is your Fairlead code for ${new URL(siteUrl).host}. Do not share it.`;
  let outcome: 'sent' | 'bad number';
  try {
    outcome = await sendSms({ to: `+${phone}`, text });
  } catch (error) {
    // The provider's error may repeat the number, and logs hold none.
    log.error({ reason: String(error).replaceAll(phone, '…'), userId }, 'A sign-in text message could not be sent');
    throw new AuthError(500, 'sms_send_failed', 'The text message could not be sent. Please try again in a minute.');
  }
  if (outcome === 'bad number')
    throw new AuthError(422, 'sms_send_failed', 'This number cannot be reached by text message. Please check it.');
}
