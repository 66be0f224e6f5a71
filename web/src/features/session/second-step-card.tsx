import type { Factor } from '@supabase/supabase-js';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '#web/lib/format.ts';
import { useSession } from '#web/lib/session.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ReadFailed } from '#web/ui/read-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.ts';
import { factorsQuery, useBeginSetup, useRemoveFactor } from './second-step-api.ts';
import { SetupDialog } from './setup-dialog.tsx';

/** The caller's second steps, each to be removed. Nothing while nobody is signed in. */
export function SecondStepCard() {
  const { status } = useSession();
  const factors = useQuery({ ...factorsQuery, enabled: status === 'signed_in' });
  const beginning = useBeginSetup();
  const [removing, setRemoving] = useState<Factor>();
  if (status === 'signed_out') return null;
  const begin = () => beginning.mutate(undefined, { onError: (error) => toast.error('Not begun', error.message) });
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
          After the link, a code of an authenticator app. Then nobody gets in who can only read your mail.
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
            {isOn ? 'Add another app' : 'Set up an authenticator app'}
          </Button>
        </CardFooter>
      ) : null}
      {beginning.data ? <SetupDialog setup={beginning.data} onClose={beginning.reset} /> : null}
      {removing ? (
        <RemoveDialog factor={removing} isLast={factors.data?.length === 1} onClose={() => setRemoving(undefined)} />
      ) : null}
    </Card>
  );
}

function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const name = nameOf(factor);
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <Smartphone aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
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

const nameOf = ({ friendly_name: name }: Factor) => name || 'Authenticator app';

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

function RemoveDialog({ factor, isLast, onClose }: { factor: Factor; isLast: boolean; onClose: () => void }) {
  const removing = useRemoveFactor();
  const remove = () =>
    removing.mutate(factor.id, {
      onSuccess: () => toast.success(isLast ? 'Two-step sign-in is off' : `${nameOf(factor)} removed`),
      onError: (error) => toast.error('Not removed', error.message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${nameOf(factor)}?`}
      description={
        isLast
          ? 'Two-step sign-in is off then: whoever can read your mail can sign in. Where administrators ask for it, you set it up anew at once.'
          : 'Its codes are worth nothing any more. Delete it from the app as well.'
      }
      confirmText="Remove"
      destructive
      pending={removing.isPending}
      onConfirm={remove}
    />
  );
}
