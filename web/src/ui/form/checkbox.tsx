import { Check, Minus } from 'lucide-react';
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { cn } from '#web/ui/cn.ts';
import { useFieldControl } from './field.tsx';

type Checked = boolean | 'indeterminate';

/**
 * `checked` may be 'indeterminate'. The target is 26 px around a 16 px box. A plain button, because a table has one in each row; an `onClick`
 * of its own that prevents the default leaves it as it is.
 */
export function Checkbox({
  className,
  checked = false,
  onCheckedChange,
  onClick,
  ...props
}: ComponentProps<'button'> & { checked?: Checked; onCheckedChange?: (checked: boolean) => void }) {
  const wiring = useFieldControl(props);
  const toggle = (event: MouseEvent<HTMLButtonElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) onCheckedChange?.(checked !== true);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the tick, which has to print and to follow the theme
    <button
      {...props}
      {...wiring}
      type="button"
      role="checkbox"
      aria-checked={checked === 'indeterminate' ? 'mixed' : checked}
      data-state={checked === 'indeterminate' ? checked : checked ? 'checked' : 'unchecked'}
      onClick={toggle}
      onKeyDown={preventEnter}
      className={cn(
        'group relative grid size-4 shrink-0 place-items-center rounded-sm border border-control bg-surface transition-colors',
        "after:-inset-1.5 after:absolute after:content-['']",
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-foreground',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent data-[state=indeterminate]:text-accent-foreground',
        'disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger',
        className,
      )}
    >
      {checked === 'indeterminate' ? <Minus aria-hidden strokeWidth={3} className="size-3" /> : null}
      {checked === true ? <Check aria-hidden strokeWidth={3} className="size-3" /> : null}
    </button>
  );
}

/** Of a box, as opposed to a button, Enter makes nothing. */
function preventEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}
