import { useQuery } from '@tanstack/react-query';
import { PhoneCall } from 'lucide-react';
import { useNow } from '#web/lib/browser/use-now.ts';
import { readersZone } from '#web/lib/calling/call-words.ts';
import { useOfNow } from '#web/lib/calling/use-of-now.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { sessionCountsQuery } from './api.ts';
import { emptyWords, isNothingCallable, othersText, sessionParts } from './session-words.ts';

/** How many leads of a list may be called now, and when the others open, by the reader's clock. */
export function SessionCounts({
  listId,
  sandbox,
  onShowCallable,
  onCallableFirst,
}: {
  listId: string;
  /** Whether it holds invented businesses, of which none can ever be called. */
  sandbox: boolean;
  /** Narrows the table to what may be called now. */
  onShowCallable: () => void;
  /** Puts it first. */
  onCallableFirst: () => void;
}) {
  const counts = useQuery(sessionCountsQuery(listId));
  const data = useOfNow(counts);
  const now = useNow();
  if (!data) {
    return (
      <section aria-label="Calls today" className={BAR}>
        {counts.isError ? (
          <>
            <p>The counts could not be loaded.</p>
            <Button size="sm" variant="link" onClick={() => void counts.refetch()}>
              Try again
            </Button>
          </>
        ) : (
          <div role="status" className="py-1">
            <span className="sr-only">Reading who can be called now</span>
            <Skeleton className="w-56 max-w-full" />
          </div>
        )}
      </section>
    );
  }
  const others = othersText(data);
  return (
    <section aria-label="Calls today" className={BAR}>
      <div className="flex min-w-0 items-center gap-3">
        <PhoneCall aria-hidden className="size-4 shrink-0 text-secondary" />
        {isNothingCallable(data) ? (
          <p role="status">{emptyWords(data, sandbox)}</p>
        ) : (
          <p role="status" className="font-medium tabular-nums" title={`Times in your time zone, ${readersZone()}`}>
            {sessionParts(data, now).join(' · ')}
          </p>
        )}
      </div>
      {others ? <p className="text-secondary text-sm tabular-nums">{others}</p> : null}
      <div className="ml-auto flex flex-wrap gap-x-3 print:hidden">
        {data.counts.callable > 0 ? (
          <Button size="sm" variant="link" onClick={onShowCallable}>
            Show callable now
          </Button>
        ) : null}
        {sandbox ? null : (
          <Button size="sm" variant="link" onClick={onCallableFirst}>
            Callable now first
          </Button>
        )}
      </div>
    </section>
  );
}

const BAR = 'flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border bg-surface px-4 py-2';
