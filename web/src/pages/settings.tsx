import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { PROVIDER_CATALOGUE, PROVIDER_IDS } from '#contract/providers.ts';
import { keyOf, useProviderKeys } from '#web/features/api-keys/api.ts';
import { ProviderCard } from '#web/features/api-keys/provider-card.tsx';
import { ProviderCardSkeleton } from '#web/features/api-keys/provider-card-skeleton.tsx';
import { BudgetsCard } from '#web/features/budgets/budgets-card.tsx';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { API_PROVIDERS } from '#web/lib/format/api-providers.tsx';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

function ProviderCards() {
  const keys = useProviderKeys();
  const [deleteFailure, setDeleteFailure] = useState<string>();
  if (keys.isPending) {
    return (
      <div role="status" className="grid gap-4">
        <span className="sr-only">Loading your API keys</span>
        {PROVIDER_IDS.map((id) => (
          <ProviderCardSkeleton key={id} />
        ))}
      </div>
    );
  }
  return (
    <>
      {keys.error ? (
        <ReadFailed title="Failed to fetch API keys" query={keys} again="Try again">
          {errorMessage(keys.error)}
        </ReadFailed>
      ) : null}
      {deleteFailure ? (
        <Alert
          tone="danger"
          title="Failed to delete API key"
          action={
            <Button size="sm" onClick={() => setDeleteFailure(undefined)}>
              Dismiss
            </Button>
          }
        >
          {deleteFailure}
        </Alert>
      ) : null}
      {keys.data ? (
        <div className="grid gap-4">
          {PROVIDER_IDS.map((id) => (
            <ProviderCard
              key={id}
              provider={PROVIDER_CATALOGUE[id]}
              current={keyOf(keys.data, id)}
              onFailure={setDeleteFailure}
            />
          ))}
        </div>
      ) : null}
    </>
  );
}

/** Brings the part of a page that the address names into view, once what stands above it has its height. */
function useScrollToHash(ready: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for each visit of the address, also of the same one.
  useEffect(() => {
    if (ready && hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [ready, hash, key]);
}

/** The keys of the providers and the budgets of runs, each with an anchor that messages lead to. */
export function SettingsPage() {
  const { status } = useSession();
  useScrollToHash(!useProviderKeys().isPending);
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader
        title="Settings"
        description="Connect your own provider keys. You pay the providers directly; nothing is added."
        actions={
          <>
            <TrainingVideoButton page="settings" />
            <Button asChild>
              <Link to="/">
                <ArrowLeft aria-hidden />
                Back to Dashboard
              </Link>
            </Button>
          </>
        }
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to see and change your API keys.</SignedOutAlert>
      ) : (
        <div className="grid gap-6">
          <section
            id={API_PROVIDERS.id}
            aria-labelledby={`${API_PROVIDERS.id}-title`}
            className="grid min-w-0 scroll-mt-20 gap-3"
          >
            <h2 id={`${API_PROVIDERS.id}-title`} className="font-semibold text-lg">
              {API_PROVIDERS.title}
            </h2>
            <ProviderCards />
          </section>
          <BudgetsCard />
        </div>
      )}
    </div>
  );
}
