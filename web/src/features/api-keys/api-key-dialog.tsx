import { ExternalLink } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '#contract/account/api-keys.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { useConfig } from '#web/lib/backend/config.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useTestKey } from './change-keys.ts';
import { KeyField, SearchbugFields } from './key-fields.tsx';
import { joinKey, type SearchbugKey } from './searchbug-key.ts';

const EMPTY: SearchbugKey = { account: '', secret: '' };

function KeyForm({
  provider,
  current,
  onDone,
}: {
  provider: ProviderId;
  current: ApiKey | undefined;
  onDone: () => void;
}) {
  const { sandbox } = useConfig();
  const { name, keyHint, helpUrl } = PROVIDER_CATALOGUE[provider];
  const [entered, setEntered] = useState(EMPTY);
  const [missing, setMissing] = useState<keyof SearchbugKey | 'all'>();
  const testing = useTestKey();
  const connected = current?.isConnected === true;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const joined = provider === 'searchbug' ? joinKey(entered) : { key: entered.secret.trim() };
    if ('missing' in joined) {
      setMissing(joined.missing);
      return;
    }
    if (joined.key === '') {
      if (connected) onDone();
      else setMissing('all');
      return;
    }
    testing.mutate(
      { provider, apiKey: joined.key, save: true },
      {
        onSuccess: () => {
          toast.success(`${name} connected`, 'The key works and is saved.');
          onDone();
        },
      },
    );
  };
  const change = (next: SearchbugKey) => {
    setEntered(next);
    setMissing(undefined);
    testing.reset();
  };
  const error = missing === 'all' ? 'Please enter an API key' : undefined;
  const keep = connected
    ? `Leave it empty to keep the current key${current.maskedKey ? ` ${current.maskedKey}` : ''}.`
    : undefined;
  return (
    <form onSubmit={submit} noValidate autoComplete="off" className="contents">
      <DialogBody>
        {provider === 'searchbug' ? (
          <SearchbugFields
            value={entered}
            missing={missing === 'all' ? undefined : missing}
            error={error}
            hint={keep?.replace('it empty', 'both empty') ?? keyHint}
            onChange={change}
          />
        ) : (
          <KeyField
            value={entered.secret}
            error={error}
            hint={keep ?? keyHint}
            onChange={(secret) => change({ ...EMPTY, secret })}
          />
        )}
        {testing.error ? <Alert tone="danger">{testing.error.message}</Alert> : null}
        <Button asChild variant="link" className="justify-self-start">
          <a href={helpUrl} target="_blank" rel="noreferrer">
            Get API Key
            <ExternalLink aria-hidden />
          </a>
        </Button>
        {sandbox ? (
          <Alert tone="info" title="Just looking around?">
            The key <code className="rounded-sm bg-muted px-1 font-medium">sandbox</code> works with invented data and
            costs nothing.
          </Alert>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={testing.isPending}>
          {connected ? 'Update' : 'Test & Save'}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Connects a provider or changes its key. `current` is what is known of the stored key. */
export function ApiKeyDialog({
  provider,
  current,
  open,
  onOpenChange,
}: {
  provider: ProviderId;
  current: ApiKey | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { name, description, costPerLead } = PROVIDER_CATALOGUE[provider];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={current?.isConnected ? `Edit ${name} key` : `Connect ${name}`}
        description={`${description}; ${costPerLead}, paid to ${name} directly.`}
      >
        <KeyForm provider={provider} current={current} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}
