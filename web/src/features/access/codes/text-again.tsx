import { useSecondsUntil } from '#web/lib/browser/use-seconds-until.ts';
import { Button } from '#web/ui/button.tsx';

/** How long a number waits for its next text, in ms: as the backend counts. */
const WAIT_MS = 60_000;

/** Asks for another text, a minute after the one before. `sentAt`: in ms since 1970. */
export function TextAgain({ sentAt, pending, onText }: { sentAt: number; pending: boolean; onText: () => void }) {
  const left = Math.min(useSecondsUntil(sentAt + WAIT_MS), WAIT_MS / 1000);
  const isWaiting = left > 0 && !pending;
  return (
    <Button
      variant="link"
      className="justify-self-start tabular-nums"
      pending={pending}
      // Not `disabled`, which would take the keyboard's focus away.
      aria-disabled={isWaiting || pending || undefined}
      onClick={isWaiting || pending ? undefined : onText}
    >
      {isWaiting ? `Text another code in ${left} s` : 'Text another code'}
    </Button>
  );
}
