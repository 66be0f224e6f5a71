import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '#contract/admin/users.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { Pagination } from '#web/ui/table/pagination.tsx';
import { invitationsQuery, useResendInvitation, useWithdrawInvitation } from './api.ts';
import { denialHint } from './denial-hint.ts';
import { ROLE_LABEL } from './user-options.ts';

const PAGE_SIZE = 10;

/** Who was invited and has not come yet. */
export function InvitationsCard() {
  const invitations = useQuery(invitationsQuery);
  return (
    <Card aria-label="Pending invitations">
      <CardHeader>
        <CardTitle>Pending invitations</CardTitle>
        <CardDescription>
          An invitation is valid for seven days. Resending it starts the seven days again.
        </CardDescription>
      </CardHeader>
      <CardContent>
        {invitations.data ? <Invitations all={invitations.data} /> : null}
        {!invitations.data && invitations.error ? (
          <ReadFailed title="The invitations could not be loaded" query={invitations}>
            {errorMessage(invitations.error)}
          </ReadFailed>
        ) : null}
        {invitations.isPending ? (
          <div role="status" className="grid gap-3">
            <span className="sr-only">Loading invitations</span>
            <Skeleton className="h-8" />
          </div>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Invitations({ all }: { all: readonly Invitation[] }) {
  const [wanted, setPage] = useState(1);
  const page = Math.min(wanted, Math.max(1, Math.ceil(all.length / PAGE_SIZE)));
  if (all.length === 0) return <p className="text-secondary">No pending invitations.</p>;
  return (
    <div className="grid gap-3">
      <ul className="divide-y">
        {all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {all.length > PAGE_SIZE ? (
        <Pagination page={page} pageSize={PAGE_SIZE} total={all.length} noun="invitations" onPageChange={setPage} />
      ) : null}
    </div>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, created_at: sentAt, expires_at: expiresAt } = invitation;
  const [asking, setAsking] = useState(false);
  const resending = useResendInvitation();
  const withdrawing = useWithdrawInvitation();
  const expired = Date.parse(expiresAt) <= Date.now();

  const resend = () =>
    resending.mutate(id, {
      onSuccess: (sent) =>
        toast.success('Invitation sent again', denialHint(sent) ?? `${email} has seven days to accept it.`),
      onError: (error) => toast.error('Resend failed', errorMessage(error)),
    });
  const withdraw = () =>
    withdrawing.mutate(id, {
      onSuccess: () => toast.success('Invitation withdrawn', `${email} can no longer accept it.`),
      onError: (error) => toast.error('Withdraw failed', errorMessage(error)),
      onSettled: () => setAsking(false),
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={email}>
            {email}
          </span>
          <Badge tone={role === 'admin' ? 'info' : 'neutral'}>{ROLE_LABEL[role]}</Badge>
        </p>
        <p className="text-secondary text-sm tabular-nums">
          <span title={formatDate(sentAt)}>Sent {formatRelative(sentAt)}</span>
          {' · '}
          <span className={cn('whitespace-nowrap', expired && 'text-danger')}>
            {expired ? 'Expired' : 'Expires'} {formatDate(expiresAt)}
          </span>
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Resend to ${email}`} pending={resending.isPending} onClick={resend}>
          Resend
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-danger"
          aria-label={`Withdraw the invitation of ${email}`}
          onClick={() => setAsking(true)}
        >
          Withdraw
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Withdraw this invitation?"
        description={`${email} will not be able to sign in with it. You can invite them again.`}
        confirmText="Withdraw"
        destructive
        pending={withdrawing.isPending}
        onConfirm={withdraw}
      />
    </li>
  );
}
