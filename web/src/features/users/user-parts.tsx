import type { AdminUser } from '#contract/admin/users.ts';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { CrmBadge } from './crm-badge.tsx';
import { ResetSecondStep } from './reset-second-step.tsx';
import { useChangeUser } from './use-change-user.ts';
import { ROLE_OPTIONS, STATUS_OPTIONS } from './user-options.ts';

/** `own`: the account of who is looking, whose role and status someone else has to change. */
export type UserPartProps = { user: AdminUser; own: boolean };

const reasonId = ({ user, own }: UserPartProps) => (own ? `own-account-${user.id}` : undefined);

export function UserEmail({ user, own }: UserPartProps) {
  return (
    <div className="min-w-0">
      <p className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium" title={user.email}>
          {user.email}
        </span>
        {own ? <Badge>You</Badge> : null}
        {user.second_step ? <Badge tone="success">Two-step</Badge> : null}
      </p>
      {own ? (
        <p id={reasonId({ user, own })} className="text-faint text-sm">
          Another admin can change your role or status.
        </p>
      ) : null}
    </div>
  );
}

export function RoleSelect({ user, own }: UserPartProps) {
  const changing = useChangeUser();
  return (
    <Select
      aria-label={`Role of ${user.email}`}
      aria-describedby={reasonId({ user, own })}
      size="sm"
      value={user.role}
      disabled={own}
      onValueChange={(role) => (role === user.role ? undefined : changing.mutate({ id: user.id, role }))}
      options={ROLE_OPTIONS}
      className="w-24"
    />
  );
}

export function StatusSelect({ user, own }: UserPartProps) {
  const changing = useChangeUser();
  return (
    <Select
      aria-label={`Status of ${user.email}`}
      aria-describedby={reasonId({ user, own })}
      size="sm"
      value={user.status}
      disabled={own}
      onValueChange={(status) => (status === user.status ? undefined : changing.mutate({ id: user.id, status }))}
      options={STATUS_OPTIONS}
      className="w-28"
    />
  );
}

export function LastLogin({ at }: { at: string | null }) {
  return (
    <span title={at ? formatDate(at) : undefined} className="whitespace-nowrap text-secondary tabular-nums">
      {at ? formatRelative(at) : 'Never'}
    </span>
  );
}

export function UserActions({
  user,
  own,
  onViewTags,
  onBudgets,
}: UserPartProps & {
  onViewTags: () => void;
  onBudgets: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 md:flex-nowrap">
      <span className="mr-auto">
        <CrmBadge status={user.keap_tag_status} />
      </span>
      <Button size="sm" aria-label={`View Keap Tags of ${user.email}`} onClick={onViewTags}>
        View Keap Tags
      </Button>
      <Button size="sm" aria-label={`Budgets of ${user.email}`} onClick={onBudgets}>
        Budgets
      </Button>
      {user.second_step && !own ? <ResetSecondStep user={user} /> : null}
    </div>
  );
}
