import { useEffect } from 'react';
import { useMatch } from 'react-router';
import { hasWaiting } from '#web/features/calls/outbox/outbox-key.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { useLastUser } from '#web/lib/session/use-last-user.ts';
import { toast } from '#web/ui/feedback/toast.ts';

const EVERY_MS = 60_000;
const NEWS = 'unsent calls';

/** Sends outcomes of calls that wait in this browser, whatever page is open, and says how many are left. The call sheet says so itself. */
export function UnsentCalls() {
  const isSignedIn = useSession().status === 'signed_in';
  const userId = useLastUser();
  const isOnSheet = useMatch('/lists/:listId/calls') !== null;
  useEffect(() => {
    if (userId === undefined) return;
    const left = new AbortController();
    let hasWaited = false;
    const look = () => {
      hasWaited ||= hasWaiting(userId);
      if (!hasWaited) return;
      // Its code may not arrive; the next look asks again.
      import('#web/features/calls/outbox/send-and-say.ts')
        .then(({ sendAndSay }) =>
          sendAndSay(userId, { news: isOnSheet ? undefined : NEWS, isSignedIn, left: left.signal }),
        )
        .catch(() => undefined);
    };
    look();
    window.addEventListener('online', look, { signal: left.signal });
    const timer = setInterval(look, EVERY_MS);
    return () => {
      left.abort();
      clearInterval(timer);
      if (hasWaited) toast.dismiss(NEWS);
    };
  }, [userId, isSignedIn, isOnSheet]);
  return null;
}
