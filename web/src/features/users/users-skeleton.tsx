import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';

export function UsersSkeleton() {
  return (
    <TableSkeleton label="Loading users" rows={6} rowClassName="h-12">
      <Skeleton className="min-w-0 flex-1" />
      <Skeleton className="h-8 w-24 shrink-0" />
      <Skeleton className="hidden h-8 w-28 shrink-0 sm:block" />
      <Skeleton className="hidden w-24 shrink-0 md:block" />
      <Skeleton className="hidden h-7 w-40 shrink-0 md:block" />
    </TableSkeleton>
  );
}
