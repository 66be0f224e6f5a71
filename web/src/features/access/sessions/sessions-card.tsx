import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { AccountSession } from '#contract/access/sessions.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatDate, formatRelative } from '#web/lib/format/format.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';
import { type Ending, useSessions } from './sessions-api.ts';

function SessionRow({ session, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const Icon = /iPhone|iPad|Android/.test(session.device) ? Smartphone : Laptop;
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {session.device}
          {session.isCurrent ? <Badge tone="success">This session</Badge> : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-secondary text-sm">
          <span className="break-all tabular-nums">{session.ip ?? 'Unknown address'}</span>
          <span>
            Signed in <time dateTime={session.signedInAt}>{formatDate(session.signedInAt)}</time>
          </span>
          <span>
            Last used <time dateTime={session.lastUsedAt}>{formatRelative(session.lastUsedAt)}</time>
          </span>
          {session.endsAt ? (
            <span>
              Ends <time dateTime={session.endsAt}>{formatRelative(session.endsAt)}</time> unless used
            </span>
          ) : null}
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button size="sm" onClick={onEnd} aria-label={`End the session of ${session.device}`}>
          End
        </Button>
      )}
    </li>
  );
}

function LoadingRows() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading your sessions</span>
      {['first', 'second'].map((row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-4" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3.5 w-72 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Where the caller is signed in, each to be ended. Nothing while no one is signed in. */
export function SessionsCard() {
  const { status } = useSession();
  const sessions = useSessions();
  const [ending, setEnding] = useState<Ending>();
  if (status === 'signed_out') return null;
  const others = sessions.data?.some((session) => !session.isCurrent);
  return (
    <Card aria-label="Sessions">
      <CardHeader>
        <CardTitle>Sessions</CardTitle>
        <CardDescription>Where you are signed in. End any that you do not recognize.</CardDescription>
      </CardHeader>
      <CardContent>
        {sessions.data ? (
          <ul className="divide-y">
            {sessions.data.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </ul>
        ) : null}
        {!sessions.data && sessions.error ? (
          <ReadFailed title="Failed to load your sessions" query={sessions} again="Try again">
            {errorMessage(sessions.error)}
          </ReadFailed>
        ) : null}
        {sessions.isPending ? <LoadingRows /> : null}
      </CardContent>
      {others ? (
        <CardFooter>
          <Button onClick={() => setEnding('others')}>End all others</Button>
        </CardFooter>
      ) : null}
      {ending ? <EndSessionsDialog what={ending} onClose={() => setEnding(undefined)} /> : null}
    </Card>
  );
}
