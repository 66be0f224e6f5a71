import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, PhoneOff, SearchX } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import type { SuppressionKind } from '#contract/calling/suppressions.ts';
import { AddSuppressionCard } from '#web/features/suppressions/add-suppression-card.tsx';
import { suppressionsQuery } from '#web/features/suppressions/api.ts';
import { ImportCard } from '#web/features/suppressions/import-card.tsx';
import { SuppressionRows } from '#web/features/suppressions/suppression-rows.tsx';
import { KIND_OPTIONS } from '#web/features/suppressions/suppression-words.ts';
import {
  changeSuppressionsView,
  readSuppressionsView,
  type SuppressionsView,
} from '#web/features/suppressions/suppressions-view.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { plural } from '#web/lib/format/format.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** For administrators only. */
const SourcesCard = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/suppression-sources/sources-card.tsx'), 'SourcesCard'))
    .SourcesCard,
}));

const KINDS: readonly SelectOption<SuppressionKind | 'all'>[] = [{ value: 'all', label: 'All kinds' }, ...KIND_OPTIONS];

/** Who must not be contacted anymore. */
export function SuppressionsPage() {
  const { status, user } = useSession();
  return (
    <div className="grid min-w-0 gap-6">
      <PageHeader
        title="Suppression List"
        description="Fairlead holds these contacts back from calls, emails, lookups and exports, for everyone here."
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to see the suppression list.</SignedOutAlert>
      ) : (
        <>
          <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <AddSuppressionCard />
            <ImportCard />
          </div>
          <Entries />
          {user?.role === 'admin' ? (
            <Suspense fallback={<Skeleton className="h-64" />}>
              <SourcesCard />
            </Suspense>
          ) : null}
        </>
      )}
    </div>
  );
}

type Change = (change: Partial<SuppressionsView>) => void;

function Entries() {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const view = readSuppressionsView(params);
  const list = useQuery(suppressionsQuery(view));
  const change: Change = (next) =>
    setParams(changeSuppressionsView(view, next), { replace: !('before' in next), state: STAY });
  return (
    <section aria-label="Entries" className="grid min-w-0 gap-3">
      <search aria-label="Find entries" className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Find in the list"
          placeholder="Find a number, address or name…"
          value={view.q}
          onValueChange={(q) => change({ q })}
          className="w-full sm:w-72"
        />
        <Select
          aria-label="Kind"
          size="sm"
          value={view.kind ?? 'all'}
          onValueChange={(kind) => change({ kind: kind === 'all' ? undefined : kind })}
          options={KINDS}
          className="w-44"
        />
        {list.data ? (
          <p role="status" className="ml-auto text-secondary text-sm tabular-nums">
            {plural(list.data.total, 'entry', 'entries')}
          </p>
        ) : null}
      </search>
      {list.error && (!list.data || list.isPlaceholderData) ? (
        <ReadFailed title="The suppression list could not be loaded" query={list}>
          {errorMessage(list.error)}
        </ReadFailed>
      ) : list.data === undefined ? (
        <div role="status" className="grid gap-3 rounded-lg border p-4">
          <span className="sr-only">Loading the suppression list</span>
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
      ) : list.data.items.length === 0 ? (
        <NoEntries view={view} onChange={change} />
      ) : (
        <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60' : ''}>
          <SuppressionRows items={list.data.items} canRemove={user?.role === 'admin'} />
        </div>
      )}
      {list.data && (list.data.next !== null || view.before) ? (
        <nav aria-label="Pages" className="flex items-center justify-end gap-1 print:hidden">
          <Button variant="ghost" size="sm" disabled={!view.before} onClick={() => change({ before: undefined })}>
            <ChevronLeft aria-hidden />
            Newest
          </Button>
          <Button
            variant="ghost"
            size="sm"
            disabled={list.data.next === null || list.isPlaceholderData}
            onClick={() => change({ before: list.data?.next ?? undefined })}
          >
            Older
            <ChevronRight aria-hidden />
          </Button>
        </nav>
      ) : null}
    </section>
  );
}

function NoEntries({ view, onChange }: { view: SuppressionsView; onChange: Change }) {
  if (view.q === '' && !view.kind && !view.before)
    return (
      <EmptyState
        icon={PhoneOff}
        title="No one is suppressed"
        description="Add anyone who asks not to be called or emailed. The entry takes effect at once, for everyone here."
      />
    );
  return (
    <EmptyState
      icon={SearchX}
      title="No entries match"
      description="A number is found in any spelling."
      action={<Button onClick={() => onChange({ q: '', kind: undefined, before: undefined })}>Clear filters</Button>}
    />
  );
}
