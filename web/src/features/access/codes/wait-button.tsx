import type { ComponentProps } from 'react';
import { countdown } from '#web/lib/backend/waits.ts';
import { useSecondsUntil } from '#web/lib/browser/use-seconds-until.ts';
import { Button } from '#web/ui/button.tsx';

/** A button that counts down until `until` (in ms since 1970), and then works again by itself. `waiting`: what can be done then. */
export function WaitButton({
  until = 0,
  waiting = 'Try again',
  disabled,
  children,
  ...button
}: ComponentProps<typeof Button> & { until?: number | undefined; waiting?: string }) {
  const left = useSecondsUntil(until);
  return (
    <Button {...button} disabled={disabled || left > 0} className="tabular-nums">
      {left > 0 ? `${waiting} in ${countdown(left)}` : children}
    </Button>
  );
}
