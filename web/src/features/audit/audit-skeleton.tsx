import { Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** In the shape of the table. */
export function AuditSkeleton() {
  return (
    <div role="status" className="overflow-hidden rounded-lg border bg-surface">
      <span className="sr-only">Loading the audit log</span>
      <div className="h-9 border-b bg-muted max-lg:hidden" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-10 items-center gap-6 border-b px-3 last:border-b-0 max-lg:h-21">
          <Skeleton className="w-40 shrink-0" />
          <Skeleton className="min-w-0 flex-1" />
          <Skeleton className="min-w-0 flex-1 max-lg:hidden" />
          <Skeleton className="w-24 shrink-0 max-lg:hidden" />
          <Skeleton className="h-7 w-16 shrink-0" />
        </div>
      ))}
    </div>
  );
}
