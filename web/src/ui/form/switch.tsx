import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import { useFieldControl } from './field.tsx';

export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  const wiring = useFieldControl(props);
  return (
    <Radix.Root
      {...props}
      {...wiring}
      className={cn(
        'inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-muted p-0.5 transition-colors',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      <Radix.Thumb className="block size-4.5 rounded-full bg-secondary transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-accent-foreground" />
    </Radix.Root>
  );
}
