import type { ReactNode } from 'react';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import type { Failure } from './failure.ts';

const TITLE = {
  search: 'Search failed',
  enrichment: 'Enrichment failed',
  compliance: 'Compliance check failed',
};

/** Why a list failed, and what can be done about it. */
export function FailureNotice({ failure, action }: { failure: Failure; action: ReactNode }) {
  return (
    <Alert tone="danger" title={failure.work ? TITLE[failure.work.kind] : 'Work did not start'} action={action}>
      <MessageText text={failure.reason} />
    </Alert>
  );
}
