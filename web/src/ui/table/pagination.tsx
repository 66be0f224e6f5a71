import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { pageRange, pageWindow } from './page-window.ts';

/**
 * 'Showing x-y of n things' with Previous, up to five page links, Next: arrows alone on a phone, so that they stay in one line.
 * Pages count from 1; one page shows no links.
 */
export function Pagination({
  page,
  pageSize,
  total,
  noun,
  onPageChange,
  className,
}: {
  page: number;
  pageSize: number;
  total: number;
  /** What is counted, in the plural: lists. */
  noun: string;
  onPageChange: (page: number) => void;
  className?: string | undefined;
}) {
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  const { from, to } = pageRange(page, pageSize, total);
  return (
    <div className={cn('flex flex-wrap items-center justify-between gap-3 print:hidden', className)}>
      <p className="text-secondary text-sm tabular-nums">{`Showing ${from}-${to} of ${total} ${noun}`}</p>
      {pageCount > 1 ? (
        <nav aria-label="Pages" className="flex flex-wrap items-center gap-1">
          <Button variant="ghost" size="sm" disabled={page <= 1} onClick={() => onPageChange(page - 1)}>
            <ChevronLeft aria-hidden />
            <span className="max-sm:sr-only">Previous</span>
          </Button>
          {pageWindow(page, pageCount).map((number) => (
            <Button
              key={number}
              variant={number === page ? 'secondary' : 'ghost'}
              size="icon-sm"
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPageChange(number)}
              className="text-sm tabular-nums"
            >
              {number}
            </Button>
          ))}
          <Button variant="ghost" size="sm" disabled={page >= pageCount} onClick={() => onPageChange(page + 1)}>
            <span className="max-sm:sr-only">Next</span>
            <ChevronRight aria-hidden />
          </Button>
        </nav>
      ) : null}
    </div>
  );
}
