import { denialText, precheckEndpoint } from '#contract/access/precheck.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { type LinkSent, takeLinkSent } from '#web/lib/session/link-sent.ts';
import { limitedUntil, linkErrorText, precheckErrorText } from './sign-in-messages.ts';

/** Why someone could not sign in, in words for them. */
export class SignInError extends Error {
  override name = 'SignInError';
  /** When it can be tried again, in ms since 1970; undefined where nothing has to wait. */
  readonly until: number | undefined;

  constructor(message: string, until?: number) {
    super(message);
    this.until = until;
  }
}

async function askPrecheck(email: string) {
  try {
    return await callApi(precheckEndpoint, { body: { email } });
  } catch (error) {
    throw new SignInError(precheckErrorText(error), limitedUntil(error));
  }
}

/**
 * Mails a sign-in link to someone who may sign in.
 * @throws SignInError
 */
export async function requestLink(email: string): Promise<LinkSent> {
  const { allow, reason } = await askPrecheck(email);
  if (!allow) throw new SignInError(denialText(reason));
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signInWithOtp({ email, options: { emailRedirectTo: window.location.origin } });
  if (error) throw new SignInError(linkErrorText(error), limitedUntil(error));
  return takeLinkSent();
}
