import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { resetSecondStep } from '#contract/access/second-step.ts';
import {
  inviteUser,
  listInvitations,
  listUsers,
  type Role,
  resendInvitation,
  withdrawInvitation,
} from '#contract/admin/users.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** All accounts. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => (await callApi(listUsers, { signal })).items,
});

/** Invitations that were neither accepted nor withdrawn, the newest first. */
export const invitationsQuery = queryOptions({
  queryKey: ['admin', 'invitations'],
  queryFn: async ({ signal }) => (await callApi(listInvitations, { signal })).items,
});

/** Invites somebody. The invitations are read again after a failure too: one may stand. */
export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) => callApi(inviteUser, { body }),
    onSettled: () => void queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}

/** Takes somebody's second steps away. */
export function useResetSecondStep() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (user_id: string) => callApi(resetSecondStep, { body: { user_id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

/** Sends an open invitation again. */
export function useResendInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(resendInvitation, { body: { id } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}

export function useWithdrawInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(withdrawInvitation, { body: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}
