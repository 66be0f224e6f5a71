import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import {
  type AdminUser,
  type Role,
  setUserRoleEndpoint,
  setUserStatusEndpoint,
  type UserStatus,
} from '#contract/admin/users.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { usersQuery } from './api.ts';

type UserChange = { id: string } & ({ role: Role } | { status: UserStatus });

const KEY = ['admin', 'change-user'];

const send = (change: UserChange): Promise<AdminUser> =>
  'role' in change
    ? callApi(setUserRoleEndpoint, { body: { user_id: change.id, role: change.role } })
    : callApi(setUserStatusEndpoint, { body: { user_id: change.id, status: change.status } });

/** Role and status. The changes of several clicks are sent one after the other, so that the last click decides. */
export function useChangeUser() {
  const queries = useQueryClient();
  const { queryKey } = usersQuery;
  return useMutation({
    mutationKey: KEY,
    scope: { id: 'change-user' },
    mutationFn: send,
    onError: (error, change) =>
      toast.error('role' in change ? 'Role change failed' : 'Status change failed', errorMessage(error)),
    onSuccess: async (account, change) => {
      // A list that was asked for before would bring the old value back.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (users) => users?.map((user) => (user.id === account.id ? account : user)));
      toast.success(...newsOf(account, change));
    },
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
}

const newsOf = ({ email, role, status }: AdminUser, change: UserChange): [title: string, text: string] => {
  if ('role' in change) return ['Role changed', `${email} is ${role === 'admin' ? 'an admin' : 'a user'} now.`];
  if (status === 'active') return ['User enabled', `${email} can sign in again.`];
  return ['User disabled', `${email} was signed out everywhere.`];
};

/** `users` with the changes that are under way. One that is refused is not among them anymore, which takes it back. */
export function useWithChanges(users: readonly AdminUser[]): readonly AdminUser[] {
  const changes = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => state.variables as UserChange,
  });
  if (changes.length === 0) return users;
  return users.map((user) => {
    const shown = { ...user };
    for (const change of changes) if (change.id === user.id) Object.assign(shown, change);
    return shown;
  });
}
