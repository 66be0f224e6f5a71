import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AdminUser,
  inviteUser,
  listInvitations,
  listUsers,
  type Role,
  setUserRole,
  setUserStatus,
  type UserStatus,
  withdrawInvitation,
} from '#contract/admin-users.ts';
import { callApi } from '#web/lib/api-client.ts';
import { errorMessage } from '#web/lib/api-error.ts';
import { toast } from '#web/ui/toast.ts';

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

export type UserChange = { user: AdminUser } & ({ role: Role } | { status: UserStatus });

const send = (change: UserChange): Promise<AdminUser> => {
  const user_id = change.user.id;
  return 'role' in change
    ? callApi(setUserRole, { body: { user_id, role: change.role } })
    : callApi(setUserStatus, { body: { user_id, status: change.status } });
};

/** Role and status: shown at once, taken back when refused, and the list is read again either way. */
export function useChangeUser() {
  const queries = useQueryClient();
  const { queryKey } = usersQuery;
  const put = (id: string, fields: Partial<AdminUser>) =>
    queries.setQueryData(queryKey, (users) => users?.map((user) => (user.id === id ? { ...user, ...fields } : user)));
  return useMutation({
    mutationFn: send,
    onMutate: async (change: UserChange) => {
      await queries.cancelQueries({ queryKey });
      put(change.user.id, 'role' in change ? { role: change.role } : { status: change.status });
    },
    onError: (error, change) => {
      const { role, status } = change.user;
      put(change.user.id, 'role' in change ? { role } : { status });
      toast.error('role' in change ? 'Role change failed' : 'Status change failed', errorMessage(error));
    },
    onSuccess: ({ email, role, status }, change) => {
      if ('role' in change)
        toast.success('Role changed', `${email} is ${role === 'admin' ? 'an admin' : 'a user'} now.`);
      else if (status === 'active') toast.success('User enabled', `${email} can sign in again.`);
      else toast.success('User disabled', `${email} was signed out everywhere.`);
    },
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
}

/** Invites somebody, or sends an open invitation again. The invitations are read again after a failure too: one may stand. */
export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) => callApi(inviteUser, { body }),
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
