import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { resetSecondStepEndpoint } from '#contract/access/second-step.ts';
import {
  inviteUserEndpoint,
  listInvitationsEndpoint,
  listUsersEndpoint,
  type Role,
  resendInvitationEndpoint,
  withdrawInvitationEndpoint,
} from '#contract/admin/users.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** All accounts. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => (await callApi(listUsersEndpoint, { signal })).items,
});

/** Invitations that were neither accepted nor withdrawn, the newest first. */
export const invitationsQuery = queryOptions({
  queryKey: ['admin', 'invitations'],
  queryFn: async ({ signal }) => (await callApi(listInvitationsEndpoint, { signal })).items,
});

/** Invites someone. The invitations are read again after a failure too: one may stand. */
export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) => callApi(inviteUserEndpoint, { body }),
    onSettled: () => void queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}

/** Takes someone's second steps away. */
export function useResetSecondStep() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (user_id: string) => callApi(resetSecondStepEndpoint, { body: { user_id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

/** Sends an open invitation again. */
export function useResendInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(resendInvitationEndpoint, { body: { id } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}

export function useWithdrawInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(withdrawInvitationEndpoint, { body: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}
