import { useMutation, useQuery } from '@tanstack/react-query';
import type { AuthFailure } from '#web/features/access/codes/sign-in-messages.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { withProof } from '#web/lib/session/fresh-proof.ts';
import { ADDRESS_LANDING } from '#web/lib/session/landing.ts';
import type { SessionUser } from '#web/lib/session/session.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { ChangeError, changeError } from './change-error.ts';

/** How often a change under way is looked at, in ms: the other mailbox may be open on another device. */
const FOLLOW_MS = 15_000;

const mailing = () => ({ emailRedirectTo: `${window.location.origin}/account?${ADDRESS_LANDING}` });

async function change(email: string): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await withProof(() => auth.updateUser({ email }, mailing()));
  if (error) throw addressError(error);
}

/** The backend's refusal of a change of address, a repetition or a code. */
function addressError(error: AuthFailure): ChangeError {
  switch (error.code) {
    case 'email_exists':
      return new ChangeError('Another account has this address. Sign in with it, or use a different one.', 'email');
    case 'email_address_invalid':
    case 'validation_failed':
      return new ChangeError('Enter an email address such as name@company.com.', 'email');
    default:
      return changeError(error, 'email');
  }
}

/** Mails a link to both mailboxes, in place of a change that was under way. Fails with a ChangeError. */
export const useChangeAddress = () => useMutation({ mutationFn: change });

/** Mails the links of the change under way once more, to those who have not confirmed. Fails with a ChangeError. */
export const useRepeatAddressChange = () =>
  useMutation({
    mutationFn: async (from: string) => {
      const { auth } = await getSupabase();
      const { error } = await auth.resend({ type: 'email_change', email: from, options: mailing() });
      if (error) throw addressError(error);
      await auth.refreshSession();
    },
  });

/**
 * Ends the change under way, by asking for the address that one has. `onGivenUp` is called also when anyone who shows the change is gone by
 * then. Fails with a ChangeError.
 */
export const useGiveUpAddressChange = (onGivenUp: () => void) =>
  useMutation({
    onSuccess: onGivenUp,
    mutationFn: async (from: string) => {
      const { auth } = await getSupabase();
      const { data, error } = await auth.updateUser({ email: from });
      if (error) throw addressError(error);
      // Hosted Supabase takes this for no change at all.
      if (data.user.new_email)
        throw new ChangeError(
          'You do not need to do anything. The links expire within an hour, and your address stays the same.',
        );
    },
  });

/** Looks whether a change under way was confirmed or given up elsewhere, and renews the session if it was. */
export function useFollowAddressChange({ id, email, change: pending }: SessionUser): void {
  useQuery({
    queryKey: ['address-change', id],
    queryFn: async () => {
      const { auth } = await getSupabase();
      const { data, error } = await auth.getUser();
      if (error) throw error;
      const changed = data.user.email !== email;
      if (changed || data.user.new_email !== pending?.email) await auth.refreshSession();
      if (changed) toast.success('Your address has changed', 'From now on you sign in with the new one.');
      return null;
    },
    enabled: pending !== undefined,
    retry: false,
    refetchInterval: FOLLOW_MS,
  });
}
