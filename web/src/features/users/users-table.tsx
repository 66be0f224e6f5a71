import type { AdminUser } from '#contract/admin/users.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { useMediaQuery } from '#web/ui/layout/use-media-query.ts';
import { SortableHead, Table, TableBody, TableCell, TableHeader, TableRow } from '#web/ui/table/table.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';
import { useWithChanges } from './use-change-user.ts';
import { LastLogin, RoleSelect, StatusSelect, UserActions, UserEmail } from './user-parts.tsx';
import { USER_SORT_LABEL, USER_SORTS, type UserSort, type UsersView } from './users-view.ts';

/** Below this the table would hide what can be changed beyond its edge. */
const NARROW = '(max-width: 767px)';

type UsersTableProps = {
  users: readonly AdminUser[];
  /** The account of who is looking. */
  ownId: string | undefined;
  sort: UsersView['sort'];
  onSort: (column: UserSort) => void;
  onViewTags: (user: AdminUser) => void;
  onBudgets: (user: AdminUser) => void;
};

/** One page of accounts; role and status are changed in place. Narrow screens get a list instead of a table. */
export function UsersTable({ users, ...props }: UsersTableProps) {
  const shown = useWithChanges(users);
  return useMediaQuery(NARROW) ? <Stacked users={shown} {...props} /> : <Wide users={shown} {...props} />;
}

function Wide({ users, ownId, sort, onSort, onViewTags, onBudgets }: UsersTableProps) {
  return (
    <Table label="Users">
      <TableHeader>
        <tr>
          {USER_SORTS.map((column) => (
            <SortableHead
              key={column}
              direction={sort.column === column ? sort.direction : undefined}
              onSort={() => onSort(column)}
            >
              {USER_SORT_LABEL[column]}
            </SortableHead>
          ))}
        </tr>
      </TableHeader>
      <TableBody>
        {users.map((user) => {
          const own = user.id === ownId;
          return (
            <TableRow key={user.id}>
              <TableCell className="min-w-56 max-w-96">
                <UserEmail user={user} own={own} />
              </TableCell>
              <TableCell>
                <RoleSelect user={user} own={own} />
              </TableCell>
              <TableCell>
                <StatusSelect user={user} own={own} />
              </TableCell>
              <TableCell>
                <LastLogin at={user.last_sign_in_at} />
              </TableCell>
              <TableCell>
                <UserActions
                  user={user}
                  own={own}
                  onViewTags={() => onViewTags(user)}
                  onBudgets={() => onBudgets(user)}
                />
              </TableCell>
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}

function Stacked({ users, ownId, onViewTags, onBudgets }: UsersTableProps) {
  return (
    <ul aria-label="Users" className="divide-y rounded-lg border bg-surface">
      {users.map((user) => {
        const own = user.id === ownId;
        return (
          <li key={user.id} className="grid min-w-0 gap-2.5 p-3">
            <UserEmail user={user} own={own} />
            <div className="flex flex-wrap items-center gap-2">
              <RoleSelect user={user} own={own} />
              <StatusSelect user={user} own={own} />
            </div>
            <p className="text-sm">
              <span className="text-faint">Last login </span>
              <LastLogin at={user.last_sign_in_at} />
            </p>
            <UserActions user={user} own={own} onViewTags={() => onViewTags(user)} onBudgets={() => onBudgets(user)} />
          </li>
        );
      })}
    </ul>
  );
}

export function UsersSkeleton() {
  return (
    <TableSkeleton label="Loading users" rows={6} rowClassName="h-12">
      <Skeleton className="min-w-0 flex-1" />
      <Skeleton className="h-8 w-24 shrink-0" />
      <Skeleton className="hidden h-8 w-28 shrink-0 sm:block" />
      <Skeleton className="hidden w-24 shrink-0 md:block" />
      <Skeleton className="hidden h-7 w-40 shrink-0 md:block" />
    </TableSkeleton>
  );
}
