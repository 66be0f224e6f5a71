import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import { useFieldControl } from './field.tsx';

/** The outline and fill that all text-like controls share. */
export const controlClasses =
  'w-full rounded-lg border border-control bg-surface text-foreground transition-colors dark:bg-background ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:opacity-50 ' +
  // Below 16 px, iOS zooms the page when a field takes the focus.
  'text-lg md:text-base';

export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  const wiring = useFieldControl(props);
  return <input type={type} {...props} {...wiring} className={cn(controlClasses, 'h-9 px-3', className)} />;
}
