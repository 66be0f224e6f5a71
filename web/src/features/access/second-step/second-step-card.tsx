import type { Factor } from '@supabase/supabase-js';
import { useQuery } from '@tanstack/react-query';
import { MessageSquare, ShieldCheck, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '#web/lib/backend/auth-settings.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { PhoneSetupDialog } from './phone-setup-dialog.tsx';
import { RecoveryCodesRow } from './recovery-codes-row.tsx';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';
import { factorName, factorsQuery, useBeginSetup } from './second-step-api.ts';
import { SetupDialog } from './setup-dialog.tsx';

/** The caller's second steps, each to be removed. Nothing while no one is signed in. */
export function SecondStepCard() {
  const { status } = useSession();
  const factors = useQuery({ ...factorsQuery, enabled: status === 'signed_in' });
  const beginning = useBeginSetup();
  const texts = useTexts();
  const [addingPhone, setAddingPhone] = useState(false);
  const [removing, setRemoving] = useState<Factor>();
  if (status === 'signed_out') return null;
  const begin = () =>
    beginning.mutate(undefined, { onError: (error) => toast.error('Could not start', error.message) });
  const isOn = factors.data !== undefined && factors.data.length > 0;
  return (
    <Card aria-label="Two-step sign-in">
      <CardHeader>
        <div className="flex flex-wrap items-center gap-2">
          <CardTitle>Two-step sign-in</CardTitle>
          {factors.data ? (
            <Badge tone={isOn ? 'success' : 'neutral'} className="sm:ml-auto">
              {isOn ? <ShieldCheck aria-hidden /> : null}
              {isOn ? 'On' : 'Off'}
            </Badge>
          ) : null}
        </div>
        <CardDescription>
          After the link, we ask for a code
          {texts ? ' from an authenticator app or a text message' : ' from an authenticator app'}. Reading your email is
          then not enough to sign in.
        </CardDescription>
      </CardHeader>
      {factors.data?.length === 0 ? null : (
        <CardContent>
          {factors.data ? (
            <ul className="divide-y">
              {factors.data.map((factor) => (
                <FactorRow key={factor.id} factor={factor} onRemove={() => setRemoving(factor)} />
              ))}
            </ul>
          ) : null}
          {isOn ? <RecoveryCodesRow /> : null}
          {!factors.data && factors.error ? (
            <ReadFailed title="Failed to load your second steps" query={factors} again="Try again">
              {factors.error.message}
            </ReadFailed>
          ) : null}
          {factors.isPending ? <LoadingRow /> : null}
        </CardContent>
      )}
      {factors.data ? (
        <CardFooter className={isOn ? undefined : 'mt-0 border-t-0 p-4'}>
          <Button pending={beginning.isPending} onClick={begin}>
            {isOn ? 'Add an authenticator app' : 'Set up an authenticator app'}
          </Button>
          {texts ? (
            <Button onClick={() => setAddingPhone(true)}>{isOn ? 'Add a phone' : 'Use text messages'}</Button>
          ) : null}
        </CardFooter>
      ) : null}
      {beginning.data ? <SetupDialog setup={beginning.data} onClose={beginning.reset} /> : null}
      {addingPhone ? <PhoneSetupDialog onClose={() => setAddingPhone(false)} /> : null}
      {removing ? (
        <RemoveFactorDialog
          factor={removing}
          isLast={factors.data?.length === 1}
          onClose={() => setRemoving(undefined)}
        />
      ) : null}
    </Card>
  );
}

function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const name = factorName(factor);
  const Icon = factor.factor_type === 'phone' ? MessageSquare : Smartphone;
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium">{name}</p>
        <p className="text-secondary text-sm">
          Added <time dateTime={factor.created_at}>{formatDate(factor.created_at)}</time>
        </p>
      </div>
      <Button size="sm" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </li>
  );
}

function LoadingRow() {
  return (
    <div role="status" className="flex gap-3">
      <span className="sr-only">Loading your second steps</span>
      <Skeleton className="size-4" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-3.5 w-56 max-w-full" />
      </div>
    </div>
  );
}
