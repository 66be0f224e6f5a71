import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import type { SearchForm } from '#contract/work/search/search.ts';
import { apiKeysQuery } from '#web/features/api-keys/api.ts';
import { BudgetNotices } from '#web/features/budgets/budget-notices.tsx';
import { listsQuery } from '#web/features/lists/api.ts';
import { lastRunsQuery } from '#web/features/runs/api.ts';
import { SEARCH_DRAFT } from '#web/features/search/api.ts';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { early, type FirstRead, readFirst } from '#web/lib/query/read-first.ts';
import { useDrawn } from '#web/lib/query/use-drawn.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readDraft } from '#web/lib/storage/drafts.ts';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ListsSection } from './list-work/lists-section.tsx';
import { OpenRun } from './list-work/open-run.tsx';
import { type ListWork, useListWork } from './list-work/use-list-work.tsx';
import { useLists } from './list-work/use-lists.ts';

const haveFailed = (lists: readonly Pick<LeadList, 'status'>[] = []) => lists.some(({ status }) => status === 'failed');

/** Why lists have failed: it stands on their cards, and would move what is below if it came later. */
const whyFailed: FirstRead = {
  async prefetch(queries) {
    const lists = listsQuery(false);
    await queries?.prefetchQuery(lists);
    if (haveFailed(queries?.getQueryData(lists.queryKey))) await queries?.prefetchQuery(lastRunsQuery());
  },
};

/** What `DashboardPage` shows first. */
export const readDashboard = () => readFirst(early(listsQuery(false)), early(apiKeysQuery), whyFailed);

/** An overview of the user's lists, and the way to a new one. */
export function DashboardPage() {
  const { status } = useSession();
  const lists = useLists();
  const failed = haveFailed(lists.data);
  const runs = useQuery({ ...lastRunsQuery(), enabled: useDrawn() && status === 'signed_in' && failed });
  const work = useListWork({
    lists: lists.data ?? [],
    lastRun: (listId) => runs.data?.[listId],
    areRunsKnown: runs.isSuccess,
  });
  useOpenedFromSearch(work.newSearch);
  useReopenedSearch(work.newSearch);

  const newSearch = (
    <Button variant="primary" onClick={() => work.newSearch()}>
      <Plus aria-hidden />
      New Search
    </Button>
  );
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Dashboard"
        description="An overview of your lead generation performance"
        actions={
          <>
            <TrainingVideoButton page="dashboard" />
            {status === 'signed_in' ? newSearch : null}
          </>
        }
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to see your lists and to search for leads.</SignedOutAlert>
      ) : (
        <>
          <SearchReadiness work={work} />
          <BudgetNotices enabled={status === 'signed_in'} />
          <ListsSection lists={lists} work={work} />
        </>
      )}
      <OpenRun lists={lists.data ?? []} work={work} />
      {work.dialogs}
    </div>
  );
}

/** What a navigation to the dashboard may carry: open the search dialog, filled like an earlier search. */
export type FromSearch = { fromSearch?: boolean; again?: SearchForm };

/** Opens the dialog once when one came from /search; the flag is taken away, so that Reload and Back do not repeat it. */
function useOpenedFromSearch(open: (defaults: SearchForm | undefined) => void): void {
  const { state, pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const { fromSearch = false, again } = (state ?? {}) as FromSearch;
  const opened = useRef('');
  useEffect(() => {
    // The page is drawn again before the flag is gone: each arrival opens once.
    if (!fromSearch || opened.current === key) return;
    opened.current = key;
    open(again);
    void navigate(`${pathname}${search}`, { replace: true, state: null });
  });
}

/** Opens the dialog again for someone whose session ended while they filled it in. */
function useReopenedSearch(open: () => void): void {
  const { user } = useSession();
  const reopen = useRef(open);
  reopen.current = open;
  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined && readDraft(userId, SEARCH_DRAFT) !== undefined) reopen.current();
  }, [userId]);
}

/** Whether a search can be made: green with a places key, red without. */
function SearchReadiness({ work }: { work: ListWork }) {
  const { keys } = work;
  if (keys.isError && !keys.data) {
    return <ReadFailed title="Failed to fetch API keys" query={keys} again="Try again" />;
  }
  const connected = work.isConnected('google_places');
  if (connected === undefined) return <Skeleton className="h-[3.75rem] rounded-lg" />;
  if (connected) {
    return (
      <Alert tone="success" title="Ready to search">
        Google Places is connected. Start a new search to find leads.
      </Alert>
    );
  }
  return (
    <Alert
      tone="danger"
      title="Setup required"
      action={
        <Button size="sm" asChild>
          <Link to="/settings">Go to Settings</Link>
        </Button>
      }
    >
      Connect your Google Places API key to start searching for leads.
    </Alert>
  );
}
