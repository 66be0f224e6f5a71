import { getSupabase } from '#web/lib/supabase.ts';
import { SignInError } from './request-link.ts';
import { limitedUntil } from './sign-in-messages.ts';
import { signInTextErrorText, textedCodeErrorText } from './text-errors.ts';

/** Texts a code to a number (E.164) that somebody has confirmed. Throws SignInError. */
export async function textSignInCode(phone: string): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
  if (error) throw new SignInError(signInTextErrorText(error), limitedUntil(error));
}

/** Signs in by the code of a text message. Throws SignInError. */
export async function signInByText({ phone, code }: { phone: string; code: string }): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.verifyOtp({ phone, token: code, type: 'sms' });
  if (error) throw new SignInError(textedCodeErrorText(error), limitedUntil(error));
}
