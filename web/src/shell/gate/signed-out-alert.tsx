import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { sessionEndText } from '#web/lib/session/session-end.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';

/** For a page whose session ended while it was open: says what a session is needed for, and leads to the sign-in. */
export function SignedOutAlert({ children }: { children: ReactNode }) {
  return (
    <Alert
      tone="warning"
      title="You are signed out"
      action={
        <Button asChild variant="primary" size="sm">
          <Link to="/account">Go to Account</Link>
        </Button>
      }
    >
      {sessionEndText() ?? children}
    </Alert>
  );
}
