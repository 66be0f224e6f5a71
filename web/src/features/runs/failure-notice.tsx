import type { ReactNode } from 'react';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import type { Failure } from './failure.ts';
import { wordsOf } from './work-words.ts';

/** Why a list failed, and what can be done about it. */
export function FailureNotice({ failure, action }: { failure: Failure; action: ReactNode }) {
  return (
    <Alert tone="danger" title={failure.work ? wordsOf(failure.work).failed : 'Work did not start'} action={action}>
      <MessageText text={failure.reason} />
    </Alert>
  );
}
