import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';

export function AuditSkeleton() {
  return (
    <TableSkeleton
      label="Loading the audit log"
      rows={10}
      headClassName="max-lg:hidden"
      rowClassName="h-10 max-lg:h-21"
    >
      <Skeleton className="w-40 shrink-0" />
      <Skeleton className="min-w-0 flex-1" />
      <Skeleton className="min-w-0 flex-1 max-lg:hidden" />
      <Skeleton className="w-24 shrink-0 max-lg:hidden" />
      <Skeleton className="h-7 w-16 shrink-0" />
    </TableSkeleton>
  );
}
