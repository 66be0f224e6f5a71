import { Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** In the shape of the table; shows after 150 ms, so that a quick answer does not flash. */
export function LeadsTableSkeleton() {
  return (
    <div
      role="status"
      className="animate-fade-in overflow-hidden rounded-lg border bg-surface [animation-delay:150ms] [animation-fill-mode:both]"
    >
      <span className="sr-only">Loading leads</span>
      <div className="h-9 border-b bg-muted" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-10 items-center gap-6 border-b px-3 last:border-b-0">
          <Skeleton className="size-4 shrink-0" />
          <Skeleton className="w-48 shrink-0" />
          <Skeleton className="w-28 shrink-0" />
          <Skeleton className="w-64 shrink-0" />
          <Skeleton className="w-8 shrink-0" />
        </div>
      ))}
    </div>
  );
}
