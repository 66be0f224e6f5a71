import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AdminUser } from '#contract/admin/users.ts';
import { UserBudgetsDialog } from '#web/features/budgets/user-budgets-dialog.tsx';
import { CrmAccessDialog } from '#web/features/crm/access-dialog.tsx';
import { AddUserCard } from '#web/features/users/add-user-card.tsx';
import { usersQuery } from '#web/features/users/api.ts';
import { InvitationsCard } from '#web/features/users/invitations-card.tsx';
import { UsersSort } from '#web/features/users/users-sort.tsx';
import { UsersSkeleton, UsersTable } from '#web/features/users/users-table.tsx';
import {
  changeUsersView,
  nextUserSort,
  pageOfUsers,
  readUsersView,
  USERS_PAGE_SIZE,
  type UsersView,
  usersByEmail,
} from '#web/features/users/users-view.ts';
import { errorMessage, isForbidden } from '#web/lib/backend/api-error.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Pagination } from '#web/ui/table/pagination.tsx';

/** Who may use Fairlead, and as what. */
export function AdminUsersPage() {
  const { status } = useSession();
  return (
    <div className="grid min-w-0 gap-6">
      <PageHeader title="User Management" description="Invite people, and decide what they may do." />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in as an administrator to manage users.</SignedOutAlert>
      ) : (
        <Management />
      )}
    </div>
  );
}

function Management() {
  const users = useQuery(usersQuery);
  if (isForbidden(users.error)) return <AdminRefusal />;
  if (users.data)
    return (
      <>
        <AddUserCard />
        <Users all={users.data} />
        <InvitationsCard />
      </>
    );
  if (!users.error) return <UsersSkeleton />;
  return (
    <ReadFailed title="The users could not be loaded" query={users}>
      {errorMessage(users.error)}
    </ReadFailed>
  );
}

function Users({ all }: { all: readonly AdminUser[] }) {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const [asked, setAsked] = useState<AdminUser>();
  const [budgeted, setBudgeted] = useState<AdminUser>();
  const view = readUsersView(params);
  const { sort, search } = view;
  const change = (next: Partial<UsersView>) =>
    setParams(changeUsersView(view, next), { replace: next.page === undefined, state: STAY });
  // Thousands of addresses are put in order once, and not again for every keystroke elsewhere on the page.
  const ordered = useMemo(() => usersByEmail(all), [all]);
  const shown = useMemo(() => pageOfUsers(ordered, readUsersView(params)), [ordered, params]);
  return (
    <section aria-label="All users" className="grid min-w-0 gap-3">
      <div className="grid gap-2 sm:flex">
        <SearchInput
          label="Search users by email"
          placeholder="Search users"
          value={search}
          onValueChange={(text) => change({ search: text })}
          className="w-full sm:w-72"
        />
        <UsersSort sort={sort} onSort={(next) => change({ sort: next })} />
      </div>
      {shown.total === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No users match"
          description="No address contains that text."
          action={<Button onClick={() => change({ search: '' })}>Clear search</Button>}
        />
      ) : (
        <>
          <UsersTable
            users={shown.users}
            ownId={user?.id}
            sort={sort}
            onSort={(column) => change({ sort: nextUserSort(sort, column) })}
            onViewTags={setAsked}
            onBudgets={setBudgeted}
          />
          <Pagination
            page={shown.page}
            pageSize={USERS_PAGE_SIZE}
            total={shown.total}
            noun="users"
            onPageChange={(page) => change({ page })}
          />
        </>
      )}
      <CrmAccessDialog
        email={asked?.email}
        admin={asked?.role === 'admin'}
        disabled={asked?.status === 'disabled'}
        onOpenChange={(open) => (open ? undefined : setAsked(undefined))}
      />
      {budgeted ? <UserBudgetsDialog user={budgeted} onClose={() => setBudgeted(undefined)} /> : null}
    </section>
  );
}
