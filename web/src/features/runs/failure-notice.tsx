import type { ReactNode } from 'react';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import type { Failure } from './failure.ts';
import { wordsOf } from './work-words.ts';

/** Why a list failed, once that is known, and what can be done about it. */
export function FailureNotice({ failure, action }: { failure: Failure | undefined; action: ReactNode }) {
  if (!failure)
    return (
      <Alert tone="danger" title="Work failed" action={action}>
        The reason is not known yet.
      </Alert>
    );
  return (
    <Alert tone="danger" title={failure.work ? wordsOf(failure.work).failed : 'Work did not start'} action={action}>
      <MessageText text={failure.reason} />
    </Alert>
  );
}
