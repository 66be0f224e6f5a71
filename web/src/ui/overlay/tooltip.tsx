import type { ReactElement, ReactNode } from 'react';
import { usePopups } from '#web/ui/popups/use-popups.ts';

/** Around a row of buttons: tooltips beside each other then open without waiting again. */
export function TooltipRow({ children }: { children: ReactNode }) {
  const popups = usePopups();
  return popups ? <popups.TooltipProvider>{children}</popups.TooltipProvider> : children;
}

/**
 * A short explanation of its only child, which has to take the focus; inside a TooltipRow. Never the only place of
 * something needed: it comes after the page.
 */
export function Tooltip({
  content,
  side = 'top',
  disabled = false,
  children,
}: {
  content: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  disabled?: boolean;
  children: ReactElement;
}) {
  const popups = usePopups();
  if (disabled || !popups) return children;
  return (
    <popups.Tooltip content={content} side={side}>
      {children}
    </popups.Tooltip>
  );
}
