import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import { keepNewFocus } from '#web/ui/overlay/keep-new-focus.ts';

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;

/** What opens beside its trigger, with controls of its own. `label` names it for assistive technology. */
export function PopoverContent({
  label,
  className,
  ...props
}: ComponentProps<typeof Radix.Content> & { label: string }) {
  return (
    <Radix.Portal>
      <Radix.Content
        aria-label={label}
        onCloseAutoFocus={keepNewFocus}
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          'z-50 max-h-(--radix-popover-content-available-height) animate-pop-in overflow-y-auto rounded-lg border bg-raised shadow-raised',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}
