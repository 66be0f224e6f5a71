import { ToggleGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/** One of two to four short choices, always one chosen. */
export function SegmentedControl<T extends string>({
  value,
  onValueChange,
  options,
  className,
  ...aria
}: {
  value: T;
  onValueChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode }[];
  className?: string | undefined;
  'aria-label': string;
}) {
  return (
    <Radix.Root
      type="single"
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option) onValueChange(option.value);
      }}
      aria-label={aria['aria-label']}
      className={cn('inline-flex h-8 shrink-0 items-center gap-0.5 rounded-lg border bg-muted p-0.5', className)}
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className="h-full rounded-md px-2.5 font-medium text-secondary text-sm transition-colors hover:text-foreground data-[state=on]:bg-surface data-[state=on]:text-foreground data-[state=on]:outline data-[state=on]:outline-border dark:data-[state=on]:bg-hover"
        >
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
