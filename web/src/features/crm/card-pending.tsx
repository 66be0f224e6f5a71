import type { UseQueryResult } from '@tanstack/react-query';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
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
    <Alert
      tone="danger"
      title={`Could not read the ${label}`}
      action={
        <Button size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
          Retry
        </Button>
      }
    >
      {crmErrorText(query.error)}
    </Alert>
  );
}
