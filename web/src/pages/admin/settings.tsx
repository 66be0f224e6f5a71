import { useQuery } from '@tanstack/react-query';
import { SecondStepRuleCard } from '#web/features/access/second-step/second-step-rule-card.tsx';
import { SessionEndsCard } from '#web/features/access/sessions/session-ends-card.tsx';
import { credentialsQuery } from '#web/features/crm/api.ts';
import { ConnectionCard } from '#web/features/crm/connection-card.tsx';
import { CredentialsCard } from '#web/features/crm/credentials-card.tsx';
import { RequiredTagsCard } from '#web/features/crm/required-tags-card.tsx';
import { useConnectResult } from '#web/features/crm/use-connect-result.ts';
import { isForbidden } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** What decides who gets in. */
export function AdminSettingsPage() {
  const { status } = useSession();
  return (
    <div className="grid min-w-0 max-w-3xl gap-6">
      <PageHeader
        title="Admin Settings"
        description="Who can sign in, who needs a second step, and how long sessions last."
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in as an administrator to change these settings.</SignedOutAlert>
      ) : (
        <Cards />
      )}
    </div>
  );
}

function Cards() {
  const credentials = useQuery(credentialsQuery);
  useConnectResult(credentials.isSuccess);
  if (isForbidden(credentials.error)) return <AdminRefusal />;
  return (
    <>
      <CredentialsCard />
      <ConnectionCard />
      <RequiredTagsCard />
      <SecondStepRuleCard />
      <SessionEndsCard />
    </>
  );
}
