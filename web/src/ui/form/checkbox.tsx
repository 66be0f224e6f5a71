import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import { useFieldControl } from './field.tsx';

/** `checked` may be 'indeterminate'. The target is 26 px around a 16 px box. */
export function Checkbox({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  const wiring = useFieldControl(props);
  return (
    <Radix.Root
      {...props}
      {...wiring}
      className={cn(
        'group relative grid size-4 shrink-0 place-items-center rounded-sm border border-control bg-surface transition-colors',
        "after:-inset-1.5 after:absolute after:content-['']",
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-foreground',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent data-[state=indeterminate]:text-accent-foreground',
        'disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger',
        className,
      )}
    >
      <Radix.Indicator>
        <Check aria-hidden strokeWidth={3} className="size-3 group-data-[state=indeterminate]:hidden" />
        <Minus aria-hidden strokeWidth={3} className="hidden size-3 group-data-[state=indeterminate]:block" />
      </Radix.Indicator>
    </Radix.Root>
  );
}
