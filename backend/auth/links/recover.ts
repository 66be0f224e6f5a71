import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { askForLink } from './ask-for-link.ts';
import type { LinkRequest } from './link-request.ts';

/**
 * Mails a link that signs in with the event PASSWORD_RECOVERY. No one learns from the answer whether the address has an account, or
 * may sign in.
 * @throws AuthError 429, 500.
 */
export async function recover(
  context: AuthContext,
  ask: Pick<LinkRequest, 'email' | 'challenge' | 'redirectTo' | 'ip'>,
): Promise<void> {
  try {
    await askForLink(context, { ...ask, type: 'recovery', createUser: false, metadata: {}, discreet: true });
  } catch (error) {
    const refused = error instanceof AuthError && (error.code === 'otp_disabled' || error.status === 403);
    if (!refused) throw error;
  }
}
