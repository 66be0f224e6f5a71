import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestLink, SignInError } from '#web/features/access/codes/request-link.ts';
import { WaitButton } from '#web/features/access/codes/wait-button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';

/** How long the backend waits between two mails to one address, in ms. */
const PAUSE_MS = 10_000;

/** Sends the same link once more. `until`: not before, in ms since 1970. */
export function SendAgain({ email, until }: { email: string; until?: number | undefined }) {
  const [sentAt, setSentAt] = useState(() => Date.now());
  const sending = useMutation({
    mutationFn: () => requestLink(email),
    onSuccess: ({ until: next }) => setSentAt(next === undefined ? Date.now() : next - PAUSE_MS),
  });
  const refused = sending.error instanceof SignInError ? sending.error : undefined;
  return (
    <div className="grid gap-2">
      {sending.data ? (
        <p role="status" className="text-secondary">
          {sending.data.sentBefore ?? 'Sent again.'}
        </p>
      ) : null}
      {sending.error ? <Alert tone="danger">{sending.error.message}</Alert> : null}
      <WaitButton
        variant="ghost"
        pending={sending.isPending}
        waiting={refused ? 'Try again' : 'Send again'}
        until={Math.max(until ?? 0, sentAt + PAUSE_MS, refused?.until ?? 0)}
        onClick={() => sending.mutate()}
      >
        Send the link again
      </WaitButton>
    </div>
  );
}
