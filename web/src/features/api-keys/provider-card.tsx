import { CircleCheck, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#contract/account/api-keys.ts';
import type { CatalogueEntry } from '#contract/providers.ts';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ApiKeyDialog } from './api-key-dialog.tsx';
import { useTestStoredKey } from './change-keys.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';

function Facts({ cost, current }: { cost: string; current: ApiKey | undefined }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm tabular-nums">
      <dt className="text-faint">Cost</dt>
      <dd>{cost}</dd>
      {current ? <KeyFacts current={current} /> : null}
    </dl>
  );
}

function KeyFacts({ current: { maskedKey, lastUsed } }: { current: ApiKey }) {
  return (
    <>
      <dt className="text-faint">Key</dt>
      <dd className="min-w-0 truncate">{maskedKey || 'Saved'}</dd>
      <dt className="text-faint">Last used</dt>
      <dd title={lastUsed ? formatDate(lastUsed) : undefined}>{lastUsed ? formatRelative(lastUsed) : 'Never'}</dd>
    </>
  );
}

function TestButton({ provider }: { provider: CatalogueEntry }) {
  const testing = useTestStoredKey(provider.id, {
    onSuccess: () => toast.success('Connection successful ✓', `${provider.name} connection is working`),
    onError: (error) => toast.error('Connection failed ✗', error.message),
  });
  return (
    <Button size="sm" pending={testing.isPending} onClick={() => testing.mutate()}>
      Test
    </Button>
  );
}

/** A provider with the state of its key and what can be done with it. */
export function ProviderCard({
  provider,
  current,
  onFailure,
}: {
  provider: CatalogueEntry;
  current: ApiKey | undefined;
  /** Gets the reason of a failed disconnection. */
  onFailure: (reason: string) => void;
}) {
  const [dialog, setDialog] = useState<'key' | 'disconnect'>();
  const connected = current?.isConnected === true;
  const close = () => setDialog(undefined);
  return (
    <Card aria-label={provider.name}>
      <CardHeader>
        <div className="flex flex-wrap items-center gap-2">
          <CardTitle level={3}>{provider.name}</CardTitle>
          <Badge>{`Tier ${provider.tier}`}</Badge>
          {provider.required ? <Badge tone="info">Required</Badge> : null}
          <Badge tone={connected ? 'success' : 'neutral'} className="sm:ml-auto">
            {connected ? <CircleCheck aria-hidden /> : null}
            {connected ? 'Connected' : 'Not connected'}
          </Badge>
        </div>
        <CardDescription>{provider.description}</CardDescription>
      </CardHeader>
      <CardContent className="flex-1">
        <Facts cost={provider.costPerLead} current={connected ? current : undefined} />
      </CardContent>
      <CardFooter>
        {connected ? (
          <>
            <TestButton provider={provider} />
            <Button size="sm" onClick={() => setDialog('key')}>
              Edit
            </Button>
            <Button size="sm" variant="ghost" className="text-danger" onClick={() => setDialog('disconnect')}>
              Disconnect
            </Button>
          </>
        ) : (
          <Button size="sm" variant={provider.required ? 'primary' : 'secondary'} onClick={() => setDialog('key')}>
            Connect
          </Button>
        )}
        <Button asChild size="sm" variant="ghost" className="sm:ml-auto">
          <a href={provider.helpUrl} target="_blank" rel="noreferrer">
            Get API Key
            <ExternalLink aria-hidden />
          </a>
        </Button>
      </CardFooter>
      <ApiKeyDialog provider={provider.id} current={current} open={dialog === 'key'} onOpenChange={close} />
      <DisconnectDialog
        provider={provider.id}
        open={dialog === 'disconnect'}
        onOpenChange={close}
        onFailure={onFailure}
      />
    </Card>
  );
}
