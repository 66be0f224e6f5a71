import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AccountSession, endSessionEndpoint, listSessionsEndpoint } from '#contract/access/sessions.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { useSession } from '#web/lib/session/session.tsx';

export const sessionsQuery = queryOptions({
  queryKey: ['account-sessions'],
  queryFn: async ({ signal }) => (await callApi(listSessionsEndpoint, { signal })).sessions,
});

/** Where the caller is signed in; asked for while someone is. */
export function useSessions() {
  const { status } = useSession();
  return useQuery({ ...sessionsQuery, enabled: status === 'signed_in' });
}

/** What is to be ended: one session, or all but this one. */
export type Ending = AccountSession | 'others';

async function end(what: Ending): Promise<void> {
  if (what !== 'others') return endOne(what);
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signOut({ scope: 'others' });
  if (error) throw error;
  // Hosted Supabase knows nothing of those that wait since the move there.
  const { sessions } = await callApi(listSessionsEndpoint);
  await Promise.all(sessions.filter(({ isCurrent }) => !isCurrent).map(endOne));
}

async function endOne({ id }: Pick<AccountSession, 'id'>): Promise<void> {
  try {
    await callApi(endSessionEndpoint, { body: { id } });
  } catch (error) {
    // Ended from somewhere else in the meantime, which is what was wanted.
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
  }
}

/** Ends sessions, and reads again which are left. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
