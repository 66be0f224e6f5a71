import { type AskForLink, askForLink } from './ask-for-link.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './context.ts';

/**
 * Mails link and code once more, in place of those mailed before. An address without a user is answered as the others are. There is
 * no change of address that could be confirmed. Throws AuthError: as `askForLink`, and 400 `phone_provider_disabled`.
 */
export async function resend(
  context: AuthContext,
  ask: Pick<AskForLink, 'email' | 'challenge' | 'redirectTo'> & { type: string },
): Promise<void> {
  if (ask.type === 'sms' || ask.type === 'phone_change')
    throw new AuthError(400, 'phone_provider_disabled', 'Signing in by phone is not offered');
  if (ask.type === 'email_change') return;
  try {
    await askForLink(context, { ...ask, type: 'magiclink', createUser: false, metadata: {} });
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'otp_disabled')) throw error;
  }
}
