import { RadioGroup as Radix } from 'radix-ui';
import { type ComponentProps, useId } from 'react';
import { cn } from '#web/ui/cn.ts';

/** Give it an `aria-label` or `aria-labelledby`. In a form its radios get a name of their own, so that no other group takes their choice. */
export function RadioGroup({ className, name, ...props }: ComponentProps<typeof Radix.Root>) {
  const ownName = useId();
  return <Radix.Root name={name ?? ownName} className={cn('grid gap-2', className)} {...props} />;
}

export function RadioGroupItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      {...props}
      className={cn(
        'relative grid size-4 shrink-0 place-items-center rounded-full border border-control bg-surface transition-colors',
        "after:-inset-1 after:absolute after:content-['']",
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      <Radix.Indicator className="size-1.5 rounded-full bg-accent-foreground" />
    </Radix.Item>
  );
}
