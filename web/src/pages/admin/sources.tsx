import { useQuery } from '@tanstack/react-query';
import { importsQuery } from '#web/features/open-data/api.ts';
import { ImportsCard } from '#web/features/open-data/imports-card.tsx';
import { LoadCard } from '#web/features/open-data/load-card.tsx';
import { SourcesCard } from '#web/features/open-data/sources-card.tsx';
import { isForbidden } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** What is loaded of open data, and how more is. */
export function SourcesPage() {
  const { status } = useSession();
  const imports = useQuery({ ...importsQuery, enabled: status !== 'signed_out' });
  return (
    <div className="grid min-w-0 gap-6">
      <PageHeader title="Open Data" description="Places that may be kept, for searches that cost nothing." />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in as an administrator to load open data.</SignedOutAlert>
      ) : isForbidden(imports.error) ? (
        <AdminRefusal />
      ) : (
        <>
          <SourcesCard />
          <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
            <LoadCard />
            <ImportsCard />
          </div>
        </>
      )}
    </div>
  );
}
