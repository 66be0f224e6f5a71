import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';

/** In the shape of the page: figures, the chart, a table. It shows after 150 ms, so that a quick answer does not flash. */
export function UsageSkeleton() {
  return (
    <div className="grid gap-6">
      <div
        aria-hidden
        className="grid animate-fade-in gap-px overflow-hidden rounded-lg border bg-border [animation-delay:150ms] [animation-fill-mode:both] min-[24rem]:grid-cols-2 lg:grid-cols-3"
      >
        {['spent', 'saved', 'uncertain', 'businesses', 'emails', 'verifications', 'phones'].map((figure) => (
          <div
            key={figure}
            className="grid h-23 content-center gap-2 bg-surface px-4 last:min-[24rem]:col-span-2 last:lg:col-span-3"
          >
            <Skeleton className="w-20" />
            <Skeleton className="h-5 w-24" />
          </div>
        ))}
      </div>
      <div
        aria-hidden
        className="h-60 animate-fade-in rounded-lg border bg-surface [animation-delay:150ms] [animation-fill-mode:both]"
      />
      <TableSkeleton label="Loading the usage" rows={3} rowClassName="h-10">
        <Skeleton className="w-28" />
        <Skeleton className="min-w-0 flex-1" />
        <Skeleton className="w-16" />
      </TableSkeleton>
    </div>
  );
}
