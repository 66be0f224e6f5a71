import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download, Phone } from 'lucide-react';
import { Fragment } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { apiKeysQuery } from '#web/features/api-keys/api.ts';
import { leadCountsQuery } from '#web/features/leads/api.ts';
import { LeadsTableSkeleton } from '#web/features/leads/table-skeleton.tsx';
import { listsQuery } from '#web/features/lists/api.ts';
import { ListBadges } from '#web/features/lists/badges.tsx';
import { hasStarted } from '#web/features/lists/has-started.ts';
import { detailBadges } from '#web/features/lists/list-badges.ts';
import { ListMenu } from '#web/features/lists/list-menu.tsx';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { lastEnded } from '#web/features/runs/failure.ts';
import { isOfArea } from '#web/features/runs/is-of-area.ts';
import { emptySearchReason } from '#web/features/runs/run-words.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { formatDate, plural } from '#web/lib/format/format.ts';
import { early, readFirst } from '#web/lib/query/read-first.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { LeadsSection } from './list-work/leads-section.tsx';
import { ListNotices } from './list-work/list-notices.tsx';
import { OpenRun } from './list-work/open-run.tsx';
import { useFollowLeads } from './list-work/use-follow-leads.ts';
import { useListCommands } from './list-work/use-list-commands.ts';
import { useListWork } from './list-work/use-list-work.tsx';
import { useLists } from './list-work/use-lists.ts';

/** What `ListDetailPage` shows first; its rows follow, or its name would wait for them. */
export const readListDetail = (listId: string) =>
  readFirst(
    early(listsQuery(false)),
    early(runsOfListQuery(listId, false)),
    early(leadCountsQuery(listId, {})),
    early(apiKeysQuery),
  );

/** One list: what it is, what is being done to it, and its leads. */
export function ListDetailPage() {
  const { listId = '' } = useParams();
  const { status } = useSession();
  const lists = useLists();
  const list = lists.data?.find(({ id }) => id === listId);

  if (list) return <ListPage key={list.id} list={list} lists={lists.data ?? []} />;
  if (status === 'signed_out') {
    return <SignedOutAlert>Sign in to see this list.</SignedOutAlert>;
  }
  if (lists.query.isError && !lists.data) {
    return (
      <ReadFailed title="The list could not be loaded" query={lists.query}>
        {errorMessage(lists.query.error)}
      </ReadFailed>
    );
  }
  // A list that has just been made elsewhere may be missing from what is known until it is read again.
  if (!lists.data || (lists.query.isFetching && lists.query.isStale)) return <PageSkeleton />;
  return <NotFound />;
}

function NotFound() {
  return (
    <div className="grid justify-items-center gap-1 rounded-lg border border-dashed px-6 py-14 text-center">
      <title>List not found · Fairlead</title>
      <h1 className="font-semibold text-lg">List not found</h1>
      <p className="text-secondary">It may have been deleted, or it may belong to someone else.</p>
      <Button variant="primary" asChild className="mt-4">
        <Link to="/">Back to Dashboard</Link>
      </Button>
    </div>
  );
}

function PageSkeleton() {
  return (
    <div className="grid gap-6">
      <div className="grid animate-fade-in gap-3 [animation-delay:150ms] [animation-fill-mode:both]">
        <Skeleton className="w-24" />
        <Skeleton className="h-6 w-72 max-w-full" />
        <Skeleton className="w-56" />
      </div>
      <LeadsTableSkeleton />
    </div>
  );
}

function ListPage({ list, lists }: { list: LeadList; lists: LeadList[] }) {
  const navigate = useNavigate();
  const now = useNow();
  const { status } = useSession();
  const signedIn = status === 'signed_in';
  const processing = list.status === 'processing';
  const runs = useQuery({ ...runsOfListQuery(list.id, processing), enabled: signedIn });
  const counts = useQuery({ ...leadCountsQuery(list.id, {}), enabled: signedIn });
  useFollowLeads(list, runs.data);
  const work = useListWork({
    lists,
    lastRun: (listId) => (listId === list.id ? lastEnded(runs.data ?? []) : undefined),
    areRunsKnown: runs.isSuccess,
    onDeleted: () => void navigate('/'),
  });
  const { handlers } = work;
  useListCommands(list, work);
  const idle = !processing && !list.archived && list.status !== 'failed' && list.leadCount > 0;
  return (
    <div className="grid grid-cols-1 gap-5" data-paper="wide">
      <PageHeader
        title={list.name}
        back={
          <Button variant="link" size="sm" asChild>
            <Link to="/" className="text-secondary">
              <ArrowLeft aria-hidden />
              Dashboard
            </Link>
          </Button>
        }
        meta={<ListBadges badges={detailBadges(list, now)} />}
        description={<Summary list={list} />}
        actions={
          <>
            {idle && !list.tier2Complete ? (
              <Button variant="primary" onClick={() => handlers.onEnrich(list)}>
                + Add Emails & Contacts
              </Button>
            ) : null}
            {idle && !list.complianceChecked ? (
              <Button
                variant={list.tier2Complete ? 'primary' : 'secondary'}
                onClick={() => handlers.onCheckCompliance(list)}
              >
                Check Compliance
              </Button>
            ) : null}
            {list.leadCount > 0 ? (
              <Button asChild>
                <Link to={`/lists/${list.id}/calls`}>
                  <Phone aria-hidden />
                  Call Sheet
                </Link>
              </Button>
            ) : null}
            <Button
              variant={idle && list.tier2Complete && list.complianceChecked ? 'primary' : 'secondary'}
              onClick={() => handlers.onExport(list)}
            >
              <Download aria-hidden />
              Export
            </Button>
            <ListMenu list={list} size="icon" {...handlers} />
          </>
        }
      />
      {status === 'signed_out' ? <SignedOutAlert>Sign in to keep working on this list.</SignedOutAlert> : null}
      <ListNotices list={list} runs={runs.data} counts={counts.data} work={work} />
      <LeadsSection
        list={list}
        counts={counts}
        whyEmpty={whyEmpty(runs.data)}
        work={work}
        hasMap={isOfArea(runs.data)}
      />
      <OpenRun lists={lists} work={work} />
      {work.dialogs}
    </div>
  );
}

/** Why the last search kept nothing of what it found. */
const whyEmpty = (runs: readonly Run[] = []): string | undefined =>
  emptySearchReason(runs.find(({ kind, state }) => kind === 'search' && state === 'completed')?.search);

function Summary({ list }: { list: LeadList }) {
  const figures = [
    ...(hasStarted(list) ? [plural(list.leadCount, 'lead'), `${list.completeness}% complete`] : ['No leads']),
    `Created ${formatDate(list.createdAt)}`,
  ];
  return (
    <p className="tabular-nums">
      {list.resolvedPlace ? (
        <>
          <span dir="auto">{list.resolvedPlace}</span>
          {' · '}
        </>
      ) : null}
      {figures.map((figure, at) => (
        <Fragment key={figure}>
          {at > 0 ? ' · ' : ''}
          <span className="whitespace-nowrap">{figure}</span>
        </Fragment>
      ))}
    </p>
  );
}
