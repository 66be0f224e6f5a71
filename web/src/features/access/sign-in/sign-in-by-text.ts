import { SignInError } from '#web/features/access/codes/request-link.ts';
import { limitedUntil } from '#web/features/access/codes/sign-in-messages.ts';
import { signInTextErrorText, textedCodeErrorText } from '#web/features/access/codes/text-errors.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';

/**
 * Texts a code to a number (E.164) that someone has confirmed.
 * @throws SignInError
 */
export async function textSignInCode(phone: string): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
  if (error) throw new SignInError(signInTextErrorText(error), limitedUntil(error));
}

/**
 * Signs in by the code of a text message.
 * @throws SignInError
 */
export async function signInByText({ phone, code }: { phone: string; code: string }): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.verifyOtp({ phone, token: code, type: 'sms' });
  if (error) throw new SignInError(textedCodeErrorText(error), limitedUntil(error));
}
