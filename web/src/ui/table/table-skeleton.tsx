import type { ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';

/**
 * In the shape of a table: `children` are the cells of one row, shown `rows` times. It shows after 150 ms, so that a quick answer
 * does not flash. `rowClassName` gives the height.
 */
export function TableSkeleton({
  label,
  rows,
  headClassName,
  rowClassName,
  children,
}: {
  label: string;
  rows: number;
  headClassName?: string;
  rowClassName: string;
  children: ReactNode;
}) {
  return (
    <div
      role="status"
      className="animate-fade-in overflow-hidden rounded-lg border bg-surface [animation-delay:150ms] [animation-fill-mode:both]"
    >
      <span className="sr-only">{label}</span>
      <div className={cn('h-9 border-b bg-muted', headClassName)} />
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} className={cn('flex items-center gap-6 border-b px-3 last:border-b-0', rowClassName)}>
          {children}
        </div>
      ))}
    </div>
  );
}
