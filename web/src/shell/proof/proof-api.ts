import { useMutation } from '@tanstack/react-query';
import { type AuthFailure, isRateLimited, SOMETHING_WRONG } from '#web/features/access/codes/sign-in-messages.ts';
import { settleSession } from '#web/lib/backend/api-client.ts';
import { isSignInElsewhere, useConfig } from '#web/lib/backend/config.tsx';
import { getSupabase } from '#web/lib/backend/supabase.ts';

/** Why a code could not be mailed or taken, in words for the person. */
class ProofError extends Error {
  override name = 'ProofError';
}

function mailingError(error: AuthFailure): ProofError {
  endIfGone(error);
  return new ProofError(
    isRateLimited(error)
      ? 'We cannot email another code yet. Use the newest one, or try again in a few minutes.'
      : 'The code could not be emailed. Try again in a minute.',
  );
}

function codeError(error: AuthFailure): ProofError {
  endIfGone(error);
  if (isRateLimited(error)) return new ProofError('Too many codes were entered. Wait an hour, then try again.');
  switch (error.code) {
    case 'reauthentication_not_valid':
    case 'otp_expired':
      return new ProofError('That code is wrong or has expired. Check the six digits, or send another code.');
    case 'reauthentication_needed':
      return new ProofError('A second step was added elsewhere. Reload the page, then confirm with that.');
    default:
      return new ProofError(SOMETHING_WRONG);
  }
}

/** A session that has ended is forgotten, and the page shows it. */
function endIfGone({ code }: AuthFailure): void {
  if (code === 'session_not_found' || code === 'bad_jwt') void settleSession();
}

async function mailCode({ email, elsewhere }: { email: string; elsewhere: boolean }): Promise<void> {
  const { auth } = await getSupabase();
  // Hosted Supabase takes a nonce with a password only. To sign in again is the proof there.
  const { error } = elsewhere
    ? await auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    : await auth.reauthenticate();
  if (error) throw mailingError(error);
}

async function takeCode({
  email,
  code,
  elsewhere,
}: {
  email: string;
  code: string;
  elsewhere: boolean;
}): Promise<void> {
  const { auth } = await getSupabase();
  if (!elsewhere) {
    const { error } = await auth.updateUser({ nonce: code });
    if (error) throw codeError(error);
    return;
  }
  const { data: before } = await auth.getSession();
  const { error } = await auth.verifyOtp({ email, token: code, type: 'email' });
  if (error) throw codeError(error);
  // The code has opened a session of its own, in place of this one.
  if (before.session) await auth.admin.signOut(before.session.access_token, 'local');
}

/** Mails a code to the person's address. Fails with words to be shown. */
export function useMailCode(email: string) {
  const elsewhere = isSignInElsewhere(useConfig());
  return useMutation({ mutationFn: () => mailCode({ email, elsewhere }) });
}

/** Confirms with the code that was mailed. Fails with words to be shown. */
export function useTakeCode(email: string) {
  const elsewhere = isSignInElsewhere(useConfig());
  return useMutation({ mutationFn: (code: string) => takeCode({ email, code, elsewhere }) });
}
