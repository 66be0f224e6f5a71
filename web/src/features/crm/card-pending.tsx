import type { UseQueryResult } from '@tanstack/react-query';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { crmErrorText } from './crm-messages.ts';

/** In place of what a card has to show: its shape while it is read, or why that failed. Nothing once it is there. */
export function CardPending({ query, label }: { query: UseQueryResult<unknown>; label: string }) {
  if (query.data !== undefined) return null;
  if (!query.error)
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{`Loading ${label}`}</span>
        <Skeleton className="w-56 max-w-full" />
        <Skeleton className="h-9" />
      </div>
    );
  return (
    <ReadFailed title={`Could not read the ${label}`} query={query}>
      {crmErrorText(query.error)}
    </ReadFailed>
  );
}
