import { Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** In the shape of the table of users. */
export function UsersSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className="overflow-hidden rounded-lg border bg-surface">
      <span className="sr-only">{label}</span>
      <div className="h-9 border-b bg-muted" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-12 items-center gap-6 border-b px-3 last:border-b-0">
          <Skeleton className="min-w-0 flex-1" />
          <Skeleton className="h-8 w-24 shrink-0" />
          <Skeleton className="hidden h-8 w-28 shrink-0 sm:block" />
          <Skeleton className="hidden w-24 shrink-0 md:block" />
          <Skeleton className="hidden h-7 w-40 shrink-0 md:block" />
        </div>
      ))}
    </div>
  );
}
