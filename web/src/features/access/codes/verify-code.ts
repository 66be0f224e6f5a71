import { getSupabase } from '#web/lib/backend/supabase.ts';
import { SignInError } from './request-link.ts';
import { codeErrorText, limitedUntil } from './sign-in-messages.ts';

/** Digits of the code in the mail. */
export const CODE_LENGTH = 6;

/** What was typed or pasted, without everything that is no digit. */
export const readCode = (text: string): string => text.replace(/\D/g, '').slice(0, CODE_LENGTH);

/**
 * Signs in with the code of a mail, in any browser.
 * @throws SignInError
 */
export async function verifyCode(email: string, code: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.verifyOtp({ email, token: code, type: 'email' });
  if (error) throw new SignInError(codeErrorText(error), limitedUntil(error));
}
