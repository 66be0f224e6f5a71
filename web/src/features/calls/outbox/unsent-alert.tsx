import { Alert } from '#web/ui/feedback/alert.tsx';
import { waitingCalls } from './outbox.ts';
import { namesOf, signInToSend, unsentTitle } from './unsent-words.ts';

/** For someone whose session has ended: which outcomes the server does not have, and what sends them. */
export function UnsentAlert({ userId }: { userId: string }) {
  const calls = waitingCalls(userId);
  if (calls.length === 0) return null;
  return (
    <Alert tone="warning" title={`${unsentTitle(calls.length)}: ${namesOf(calls)}`}>
      {signInToSend(calls.length)}
    </Alert>
  );
}
