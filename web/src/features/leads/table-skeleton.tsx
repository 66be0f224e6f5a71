import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';

export function LeadsTableSkeleton() {
  return (
    <TableSkeleton label="Loading leads" rows={10} rowClassName="h-10">
      <Skeleton className="size-4 shrink-0" />
      <Skeleton className="w-48 shrink-0" />
      <Skeleton className="w-28 shrink-0" />
      <Skeleton className="w-64 shrink-0" />
      <Skeleton className="w-8 shrink-0" />
    </TableSkeleton>
  );
}
