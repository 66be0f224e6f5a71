import { useQuery } from '@tanstack/react-query';
import { callingRulesQuery } from '#web/features/calling/api.ts';
import { LawCard, ReviewDue } from '#web/features/calling/law-card.tsx';
import { OwnRulesCard } from '#web/features/calling/own-rules-card.tsx';
import { ScopeCard } from '#web/features/calling/scope-card.tsx';
import { errorMessage, isForbidden } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** What administrators decide about calls beyond the law, and the law itself. */
export function CallingRulesPage() {
  const { status } = useSession();
  return (
    <div className="grid min-w-0 max-w-3xl gap-6">
      <PageHeader title="Calling Rules" description="When calls may begin: the law, and what you add to it." />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in as an administrator to change these rules.</SignedOutAlert>
      ) : (
        <Cards />
      )}
    </div>
  );
}

function Cards() {
  const rules = useQuery(callingRulesQuery);
  if (isForbidden(rules.error)) return <AdminRefusal />;
  if (rules.data) {
    return (
      <>
        <ReviewDue rules={rules.data} />
        <ScopeCard key={rules.data.scope} rules={rules.data} />
        <OwnRulesCard rules={rules.data} />
        <LawCard rules={rules.data} />
      </>
    );
  }
  if (rules.isError) {
    return (
      <ReadFailed title="The rules could not be loaded" query={rules}>
        {errorMessage(rules.error)}
      </ReadFailed>
    );
  }
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading the calling rules</span>
      <Skeleton className="h-48" />
      <Skeleton className="h-64" />
    </div>
  );
}
