import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { z } from 'zod/mini';
import { CRM_OAUTH_CALLBACK_PATH } from '#contract/admin/crm.ts';
import { useConfig } from '#web/lib/backend/config.tsx';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { credentialsQuery, useSaveCredentials } from './api.ts';
import { CardPending } from './card-pending.tsx';
import { crmErrorText } from './crm-messages.ts';

/** The application that the CRM knows us as. Its secret goes in and never comes back. */
export function CredentialsCard() {
  const credentials = useQuery(credentialsQuery);
  const saved = credentials.data;
  return (
    <Card aria-label="CRM credentials">
      <CardHeader>
        <div className="flex flex-wrap items-center gap-2">
          <CardTitle>CRM credentials</CardTitle>
          {saved ? (
            <Badge tone={saved.configured ? 'success' : 'neutral'} className="sm:ml-auto">
              {saved.configured ? <CircleCheck aria-hidden /> : null}
              {saved.configured ? 'Configured' : 'Not configured'}
            </Badge>
          ) : null}
        </div>
        <CardDescription>Client ID and Client Secret of your application in Keap.</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <CardPending query={credentials} label="credentials" />
        {saved?.configured ? <SavedFacts maskedId={saved.masked_client_id} savedAt={saved.updated_at} /> : null}
        {saved ? <CredentialsForm configured={saved.configured} /> : null}
      </CardContent>
    </Card>
  );
}

function SavedFacts({ maskedId, savedAt }: { maskedId: string | null; savedAt: string | null }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <dt className="text-faint">Client ID</dt>
      <dd className="min-w-0 truncate tabular-nums">{maskedId ?? 'Saved'}</dd>
      {savedAt ? (
        <>
          <dt className="text-faint">Saved</dt>
          <dd title={formatDate(savedAt)}>{formatRelative(savedAt)}</dd>
        </>
      ) : null}
    </dl>
  );
}

const SECRET_FIELD = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 500,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
} as const;

function CredentialsForm({ configured }: { configured: boolean }) {
  // The secret is kept nowhere.
  const [clientId, setClientId, clear] = useDraftState('crm-client-id', z.string(), '');
  const [secret, setSecret] = useState('');
  const [checked, setChecked] = useState(false);
  const { sandbox } = useConfig();
  const saving = useSaveCredentials();
  const missing = (text: string) => (checked && text.trim() === '' ? 'Required' : undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const body = { client_id: clientId.trim(), client_secret: secret.trim() };
    if (body.client_id === '' || body.client_secret === '') {
      toast.error('Missing fields', 'Client ID and Client Secret are required');
      return;
    }
    saving.mutate(body, {
      onSuccess: () => {
        toast.success('Keap app credentials saved', 'Stored securely.');
        setClientId('');
        clear();
        setSecret('');
        setChecked(false);
      },
      onError: (error) => toast.error('Save failed', crmErrorText(error)),
    });
  };
  return (
    <form onSubmit={submit} noValidate autoComplete="off" className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Client ID" required error={missing(clientId)}>
          <Input {...SECRET_FIELD} value={clientId} onChange={(event) => setClientId(event.target.value)} />
        </Field>
        <Field label="Client Secret" required error={missing(secret)}>
          <Input {...SECRET_FIELD} type="password" value={secret} onChange={(event) => setSecret(event.target.value)} />
        </Field>
      </div>
      <div className="grid gap-1 text-secondary text-sm">
        <p>Register this callback address with the application:</p>
        <code className="justify-self-start break-all rounded-sm bg-muted px-1.5 py-0.5 text-foreground">
          {window.location.origin}
          {CRM_OAUTH_CALLBACK_PATH}
        </code>
        {configured ? <p>Saving other credentials ends the connection.</p> : null}
      </div>
      {sandbox && !configured ? (
        <Alert tone="info" title="Just looking around?">
          A Client ID of <code className="rounded-sm bg-muted px-1 font-medium">sandbox</code> with any secret connects
          a simulated Keap.
        </Alert>
      ) : null}
      <Button
        type="submit"
        variant={configured ? 'secondary' : 'primary'}
        pending={saving.isPending}
        className="justify-self-start"
      >
        {configured ? 'Replace credentials' : 'Save credentials'}
      </Button>
    </form>
  );
}
