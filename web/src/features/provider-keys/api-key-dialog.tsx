import { ExternalLink, Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '#contract/keys.ts';
import { API_KEY_MAX_LENGTH } from '#contract/keys.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { useConfig } from '#web/lib/config.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { useTestKey } from './api.ts';

/** SearchBug's one field holds two secrets. */
const KEY_LABELS: Partial<Record<ProviderId, string>> = { searchbug: 'SearchBug key — paste ACCOUNT_NUMBER:API_KEY' };

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
  const [apiKey, setApiKey] = useState('');
  const [shown, setShown] = useState(false);
  const [missing, setMissing] = useState(false);
  const testing = useTestKey();
  const connected = current?.isConnected === true;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entered = apiKey.trim();
    if (entered === '') {
      if (connected) onDone();
      else setMissing(true);
      return;
    }
    testing.mutate(
      { provider, apiKey: entered, save: true },
      {
        onSuccess: () => {
          toast.success(`${name} connected`, 'The key works and is saved.');
          onDone();
        },
      },
    );
  };
  const change = (text: string) => {
    setApiKey(text);
    setMissing(false);
    testing.reset();
  };
  return (
    <form onSubmit={submit} noValidate autoComplete="off" className="contents">
      <DialogBody>
        <Field
          label={KEY_LABELS[provider] ?? 'API key'}
          error={missing ? 'Please enter an API key' : undefined}
          hint={
            connected
              ? `Leave it empty to keep the current key${current.maskedKey ? ` ${current.maskedKey}` : ''}.`
              : keyHint
          }
        >
          <KeyInput value={apiKey} shown={shown} onChange={change} onToggle={() => setShown(!shown)} />
        </Field>
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

function KeyInput({
  value,
  shown,
  onChange,
  onToggle,
}: {
  value: string;
  shown: boolean;
  onChange: (text: string) => void;
  onToggle: () => void;
}) {
  return (
    <div className="flex gap-2">
      <Input
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        maxLength={API_KEY_MAX_LENGTH}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        size="icon"
        className="size-9"
        aria-label={shown ? 'Hide key' : 'Show key'}
        aria-pressed={shown}
        onClick={onToggle}
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </Button>
    </div>
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
