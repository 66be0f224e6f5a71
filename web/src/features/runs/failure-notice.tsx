import type { ReactNode } from 'react';
import { MessageText } from '#web/lib/api-providers.tsx';
import { Alert } from '#web/ui/alert.tsx';

const TITLE = {
  search: 'Search failed',
  enrichment: 'Enrichment failed',
  compliance: 'Compliance check failed',
};

/** Why a list failed, and what can be done about it. */
export function FailureNotice({
  failure,
  action,
}: {
  failure: { kind: keyof typeof TITLE; reason: string };
  action: ReactNode;
}) {
  return (
    <Alert tone="danger" title={TITLE[failure.kind]} action={action}>
      <MessageText text={failure.reason} />
    </Alert>
  );
}
