import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { isRestoringFocus } from './place.ts';

/** How long the pointer rests before a tooltip opens, in ms (spec section 9). */
const TOOLTIP_DELAY_MS = 700;

/** Around a row of them: tooltips beside each other then open without waiting again. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={TOOLTIP_DELAY_MS}>{children}</Radix.Provider>;
}

/** A short explanation of its only child, which has to take the focus. Never the only place of something needed. */
export function Tooltip({
  content,
  side = 'top',
  children,
}: {
  content: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactElement;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={(event) => isRestoringFocus() && event.preventDefault()}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-fade-in rounded-md border bg-raised px-2 py-1 text-foreground text-sm shadow-raised"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
