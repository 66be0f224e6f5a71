import type { UserIdentity } from '@supabase/supabase-js';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { withProof } from '#web/lib/session/fresh-proof.ts';
import { IDENTITY_LANDING } from '#web/lib/session/landing.ts';
import { useSession } from '#web/lib/session/session.tsx';

const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  async queryFn() {
    const { auth } = await getSupabase();
    const { data, error } = await auth.getUserIdentities();
    if (error) throw error;
    return data.identities.filter(({ provider }) => provider !== 'email' && provider !== 'phone');
  },
});

/** The caller's identities at others. */
export function useIdentities() {
  const { status } = useSession();
  return useQuery({ ...identitiesQuery, enabled: status === 'signed_in' });
}

/** Leaves for the provider's page. On the way back the landing links, and tells. */
export const useLinkIdentity = () =>
  useMutation({
    async mutationFn(provider: string) {
      const { auth } = await getSupabase();
      const { error } = await withProof(() =>
        auth.linkIdentity({
          provider: provider as `custom:${string}`,
          options: { redirectTo: `${window.location.origin}/account?${IDENTITY_LANDING}` },
        }),
      );
      if (error) throw error;
    },
  });

/** Takes an identity away, and reads again which are left. */
export function useUnlinkIdentity() {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(identity: UserIdentity) {
      const { auth } = await getSupabase();
      const { error } = await withProof(() => auth.unlinkIdentity(identity));
      // Unlinked from somewhere else in the meantime, which is what was wanted.
      if (error && error.code !== 'identity_not_found') throw error;
      await auth.refreshSession();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
}
