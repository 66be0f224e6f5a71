import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CrmConnectionStatus } from '#contract/admin/crm.ts';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { connectionQuery, credentialsQuery, useDisconnect, useStartOauth } from './api.ts';
import { CardPending } from './card-pending.tsx';
import { crmErrorText } from './crm-messages.ts';

/** The grant that lets us ask the CRM. */
export function ConnectionCard() {
  const connection = useQuery(connectionQuery);
  const credentials = useQuery(credentialsQuery);
  const configured = credentials.data?.configured === true;
  return (
    <Card aria-label="OAuth connect">
      <CardHeader>
        <div className="flex flex-wrap items-center gap-2">
          <CardTitle>OAuth connect</CardTitle>
          {connection.data ? <StateBadge status={connection.data} /> : null}
        </div>
        <CardDescription>Allows Fairlead to look up contacts and their tags in Keap.</CardDescription>
      </CardHeader>
      <CardContent>
        <CardPending query={connection} label="connection" />
        {connection.data ? <Facts status={connection.data} configured={configured} /> : null}
      </CardContent>
      {connection.data ? (
        <CardFooter>
          <ConnectButton
            configured={configured}
            again={connection.data.connected || connection.data.expired}
            urgent={!connection.data.connected || connection.data.expired}
          />
          {connection.data.connected || connection.data.expired ? <DisconnectButton /> : null}
        </CardFooter>
      ) : null}
    </Card>
  );
}

function StateBadge({ status: { connected, expired } }: { status: CrmConnectionStatus }) {
  if (expired)
    return (
      <Badge tone="warning" className="sm:ml-auto">
        <TriangleAlert aria-hidden />
        Expired (reconnect)
      </Badge>
    );
  return (
    <Badge tone={connected ? 'success' : 'neutral'} className="sm:ml-auto">
      {connected ? <CircleCheck aria-hidden /> : null}
      {connected ? 'Connected' : 'Not connected'}
    </Badge>
  );
}

function Facts({ status, configured }: { status: CrmConnectionStatus; configured: boolean }) {
  const { connected, expired, masked, updated_at: refreshedAt } = status;
  if (!connected && !expired)
    return (
      <p className="text-secondary">
        {configured ? 'Keap does not control who can sign in until you connect it.' : 'Configure credentials first'}
      </p>
    );
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {masked ? (
          <>
            <dt className="text-faint">Access token</dt>
            <dd className="min-w-0 truncate tabular-nums">{masked}</dd>
          </>
        ) : null}
        <dt className="text-faint">Last refreshed</dt>
        <dd title={refreshedAt ? formatDate(refreshedAt) : undefined}>
          {refreshedAt ? formatRelative(refreshedAt) : 'Never'}
        </dd>
      </dl>
      {expired ? <p className="text-warning">Keap ended the connection. Reconnect to keep checking tags.</p> : null}
    </div>
  );
}

function ConnectButton({ configured, again, urgent }: { configured: boolean; again: boolean; urgent: boolean }) {
  const starting = useStartOauth();
  const { reset } = starting;
  useEffect(() => {
    // The browser's Back from the CRM may restore the page as it was left: still connecting.
    const start = ({ persisted }: PageTransitionEvent) => (persisted ? reset() : undefined);
    window.addEventListener('pageshow', start);
    return () => window.removeEventListener('pageshow', start);
  }, [reset]);
  const connect = () =>
    starting.mutate(undefined, {
      onSuccess: (address) => window.location.assign(address),
      onError: (error) => toast.error('Keap connect failed', crmErrorText(error)),
    });
  return (
    <Button
      variant={urgent && configured ? 'primary' : 'secondary'}
      disabled={!configured}
      // The page is left for the CRM's: until then a second click would only start over.
      pending={starting.isPending || starting.isSuccess}
      onClick={connect}
    >
      {again ? 'Reconnect' : 'Connect'}
    </Button>
  );
}

function DisconnectButton() {
  const [asking, setAsking] = useState(false);
  const disconnecting = useDisconnect();
  const disconnect = () =>
    disconnecting.mutate(undefined, {
      onSuccess: () => toast.success('Keap disconnected', 'It no longer controls who can sign in.'),
      onError: (error) => toast.error('Disconnect failed', crmErrorText(error)),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button variant="ghost" className="text-danger" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Disconnect Keap?"
        description="Keap will no longer control who can sign in. Anyone with an account or an invitation can sign in, with any tags or none. Credentials and required tags are kept."
        confirmText="Disconnect"
        destructive
        pending={disconnecting.isPending}
        onConfirm={disconnect}
      />
    </>
  );
}
