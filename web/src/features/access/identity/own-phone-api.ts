import { useMutation, useQueryClient } from '@tanstack/react-query';
import { identityErrorText } from '#web/features/access/codes/sign-in-messages.ts';
import { phoneError } from '#web/features/access/codes/text-errors.ts';
import { sessionsQuery } from '#web/features/access/sessions/sessions-api.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { withProof } from '#web/lib/session/fresh-proof.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ChangeError } from './change-error.ts';

async function begin(phone: string): Promise<string> {
  const { auth } = await getSupabase();
  const { error } = await withProof(() => auth.updateUser({ phone }));
  if (error) throw phoneError(error);
  return phone;
}

/** Texts a code to a number (E.164) that someone wants to have, also once more. Fails with a ChangeError. */
export const useBeginPhoneChange = () => useMutation({ mutationFn: begin });

/** Several accounts waited for the number, and the code was another's. */
class OthersCode extends ChangeError {
  constructor() {
    super(
      'That code was for another account, which has the number now. Sign in again. If that account is not yours, tell your administrator.',
      'code',
    );
  }
}

async function confirm({ phone, code }: { phone: string; code: string }): Promise<void> {
  const { auth } = await getSupabase();
  const { data: before } = await auth.getSession();
  const { data, error } = await auth.verifyOtp({ phone, token: code, type: 'phone_change' });
  if (error) throw phoneError(error);
  // The code has opened a session of its own. The one before would be listed as another device.
  if (!before.session) return;
  await auth.admin.signOut(before.session.access_token, 'local');
  if (data.user?.id === before.session.user.id) return;
  // No one must go on in someone else's account without knowing it.
  await auth.signOut({ scope: 'local' });
  throw new OthersCode();
}

/** Makes the number theirs whose code it is. Fails with a ChangeError. */
export function useConfirmPhone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: confirm,
    // The dialog has gone by then.
    onError: (error) => error instanceof OthersCode && toast.error('You were signed out', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

async function remove(): Promise<void> {
  const { auth } = await getSupabase();
  const { data, error } = await auth.getUserIdentities();
  if (error) throw new ChangeError(identityErrorText(error));
  const identity = data.identities.find(({ provider }) => provider === 'phone');
  if (!identity) throw new ChangeError('Sign out and in again, then remove it.');
  const { error: refusal } = await withProof(() => auth.unlinkIdentity(identity));
  if (refusal?.code === 'manual_linking_disabled')
    throw new ChangeError('You cannot remove a number here. Change it to a different one.');
  // Removed from somewhere else in the meantime, which is what was wanted.
  if (refusal && refusal.code !== 'identity_not_found') throw new ChangeError(identityErrorText(refusal));
  await auth.refreshSession();
}

/** Takes the caller's number away. Fails with a ChangeError. */
export const useRemovePhone = () => useMutation({ mutationFn: remove });
