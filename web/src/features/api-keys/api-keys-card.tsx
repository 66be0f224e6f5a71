import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ApiKey } from '#contract/account/api-keys.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { keyOf, useProviderKeys } from './api.ts';

const PLACES = PROVIDER_CATALOGUE.google_places;

function KeyRow({ name, state, action }: { name: string; state: ReactNode; action: 'Manage' | 'Configure' }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0 last:pb-0">
      <span className="w-full font-medium sm:w-auto sm:flex-1">{name}</span>
      {state}
      <Button asChild size="sm" variant={action === 'Configure' ? 'primary' : 'secondary'} className="ml-auto sm:ml-0">
        <Link to="/settings" aria-label={`${action} ${name}`}>
          {action}
        </Link>
      </Button>
    </li>
  );
}

const connected = (
  <Badge tone="success">
    <CircleCheck aria-hidden />
    Connected
  </Badge>
);

function KeyRows({ keys }: { keys: readonly ApiKey[] }) {
  const places = keyOf(keys, PLACES.id)?.isConnected === true;
  const others = keys.filter((key) => key.isConnected && key.provider !== PLACES.id);
  return (
    <ul className="divide-y">
      <KeyRow
        name={PLACES.name}
        state={places ? connected : <Badge tone="warning">Not configured</Badge>}
        action={places ? 'Manage' : 'Configure'}
      />
      {others.map((key) => (
        <KeyRow
          key={key.provider}
          name={key.keyName || PROVIDER_CATALOGUE[key.provider].name}
          state={connected}
          action="Manage"
        />
      ))}
    </ul>
  );
}

/** Which providers are connected, with the way to their settings. */
export function ApiKeysCard() {
  const keys = useProviderKeys();
  return (
    <Card aria-label="API Keys">
      <CardHeader>
        <CardTitle>API Keys</CardTitle>
        <CardDescription>The providers that your searches and checks use.</CardDescription>
      </CardHeader>
      <CardContent>
        {keys.data ? <KeyRows keys={keys.data} /> : null}
        {!keys.data && keys.error ? (
          <ReadFailed title="Failed to fetch API keys" query={keys} again="Try again">
            {errorMessage(keys.error)}
          </ReadFailed>
        ) : null}
        {keys.isPending ? (
          keys.fetchStatus === 'idle' ? (
            <p className="text-secondary">Sign in to see your API keys.</p>
          ) : (
            <div role="status" className="grid gap-3">
              <span className="sr-only">Loading your API keys</span>
              <Skeleton className="h-8" />
              <Skeleton className="h-8" />
            </div>
          )
        ) : null}
      </CardContent>
    </Card>
  );
}
