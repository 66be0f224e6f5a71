import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';
import { ScrollRegion } from './scroll-region.tsx';

/** Scrolls sideways inside itself on a narrow screen. `label` names it for assistive technology. */
export function Table({ label, className, children, ...props }: ComponentProps<'table'> & { label: string }) {
  return (
    <ScrollRegion label={label}>
      <table className={cn('w-full border-collapse text-left', className)} {...props}>
        {children}
      </table>
    </ScrollRegion>
  );
}

export function TableHeader({ className, ...props }: ComponentProps<'thead'>) {
  return <thead className={cn('border-b bg-muted', className)} {...props} />;
}

export function TableBody({ className, ...props }: ComponentProps<'tbody'>) {
  return <tbody className={cn('[&_tr:last-child]:border-0', className)} {...props} />;
}

/** `data-state="selected"` marks a chosen row. */
export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cn('border-b transition-colors hover:bg-muted data-[state=selected]:bg-accent-soft', className)}
      {...props}
    />
  );
}

export function TableHead({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn('h-9 whitespace-nowrap px-3 text-left font-medium text-secondary text-sm', className)}
      {...props}
    />
  );
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('h-10 px-3 py-1.5 align-middle', className)} {...props} />;
}

export type SortDirection = 'asc' | 'desc';

/** A column heading that sorts when pressed. `direction` is undefined while another column is sorted. */
export function SortableHead({
  direction,
  onSort,
  className,
  children,
}: {
  direction: SortDirection | undefined;
  onSort: () => void;
  className?: string | undefined;
  children: ReactNode;
}) {
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown;
  const order = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none';
  return (
    <TableHead aria-sort={order} className={className}>
      <button
        type="button"
        onClick={onSort}
        className={cn(
          '-mx-1 inline-flex min-h-7 items-center gap-1 rounded-sm px-1 hover:text-foreground',
          direction && 'text-foreground',
        )}
      >
        {children}
        <Icon aria-hidden className={cn('size-3.5 print:hidden', direction ? 'text-foreground' : 'text-faint')} />
      </button>
    </TableHead>
  );
}
