import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';

/** A grey shape in place of what is loading. Put `role="status"` and a hidden "Loading …" on the group, not on each. */
export function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      aria-hidden
      data-skeleton
      className={cn('block h-4 animate-pulse-soft rounded-md bg-hover', className)}
      {...props}
    />
  );
}
