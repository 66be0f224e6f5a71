import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, formatTime } from '#web/lib/format/format.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { headQuery, useMailHead } from './api.ts';

/** The newest entry of the chain, and for administrators the mail that tells them of it. */
export function HeadCard() {
  const query = useQuery(headQuery);
  return (
    <Card aria-label="Head of the chain">
      <CardHeader>
        <CardTitle>Head of the chain</CardTitle>
        <CardDescription>Anyone who has this hash can tell whether an earlier entry was changed.</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        {query.data ? (
          <>
            <Head {...query.data.head} />
            {query.data.mailed === null ? null : <MailSwitch on={query.data.mailed} />}
          </>
        ) : query.isError ? (
          <ReadFailed title="The head could not be loaded" query={query}>
            {errorMessage(query.error)}
          </ReadFailed>
        ) : (
          <div role="status" className="grid gap-2">
            <span className="sr-only">Loading the head of the chain</span>
            <Skeleton className="w-40" />
            <Skeleton className="h-10" />
          </div>
        )}
      </CardContent>
    </Card>
  );
}

function Head({ position, hash, at }: { position: number; hash: string; at: string | null }) {
  if (position === 0 || at === null)
    return (
      <p className="text-secondary">There is no entry yet. Phone checks, suppressions and exports will be the first.</p>
    );
  return (
    <dl className="grid gap-3">
      <div>
        <dt className="text-secondary text-sm">Entry</dt>
        <dd className="tabular-nums">
          {formatCount(position)} · {formatTime(at)}
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-secondary text-sm">Hash</dt>
        <dd className="break-all font-mono text-sm">{hash}</dd>
      </div>
    </dl>
  );
}

function MailSwitch({ on }: { on: boolean }) {
  const mailing = useMailHead();
  return (
    <Field
      label="Email me the hash each day"
      hint="Keep these emails outside this server. Then not even its owner can rewrite the past unnoticed."
    >
      <Switch
        checked={mailing.isPending ? mailing.variables : on}
        onCheckedChange={(next) =>
          mailing.mutate(next, { onError: (error) => toast.error('Not saved', errorMessage(error)) })
        }
      />
    </Field>
  );
}
