import type { KeyboardEvent, ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';

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
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step || !(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(event.target);
    buttons.at((at + step) % buttons.length)?.focus();
  };
  return (
    <div
      role="radiogroup"
      aria-label={aria['aria-label']}
      onKeyDown={move}
      className={cn('inline-flex h-8 shrink-0 items-center gap-0.5 rounded-lg border bg-muted p-0.5', className)}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio button of HTML would choose at once when arrows move to it.
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          data-state={option.value === value ? 'on' : 'off'}
          onClick={() => onValueChange(option.value)}
          className="h-full rounded-md px-2.5 font-medium text-secondary text-sm transition-colors hover:text-foreground data-[state=on]:bg-surface data-[state=on]:text-foreground data-[state=on]:outline data-[state=on]:outline-border dark:data-[state=on]:bg-hover"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** Arrows move from one to the next and around; Enter and Space choose. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
