import { denialText, precheck } from '#contract/auth.ts';
import { callApi } from '#web/lib/api-client.ts';
import { getSupabase } from '#web/lib/supabase.ts';
import { linkErrorText, precheckErrorText } from './sign-in-messages.ts';

/** Why somebody could not sign in, in words for them. */
export class SignInError extends Error {
  override name = 'SignInError';
}

async function askPrecheck(email: string) {
  try {
    return await callApi(precheck, { body: { email } });
  } catch (error) {
    throw new SignInError(precheckErrorText(error));
  }
}

/** Mails a sign-in link to somebody who may sign in. Throws SignInError. */
export async function requestLink(email: string): Promise<void> {
  const { allow, reason } = await askPrecheck(email);
  if (!allow) throw new SignInError(denialText(reason));
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signInWithOtp({ email, options: { emailRedirectTo: window.location.origin } });
  if (error) throw new SignInError(linkErrorText(error));
}
