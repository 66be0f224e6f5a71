import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileJson, Printer } from 'lucide-react';
import { Link, useParams } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import { coverageQuery, saveCertificate } from '#web/features/coverage/api.ts';
import { Certificate } from '#web/features/coverage/certificate.tsx';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { lastEnded, workOf } from '#web/features/runs/failure.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { useListWork } from './list-work/use-list-work.tsx';
import { useLists } from './list-work/use-lists.ts';

/** What the search of a list has covered, to read, to print, and as a file. */
export function CoveragePage() {
  const { listId = '' } = useParams();
  const lists = useLists();
  const list = lists.data?.find(({ id }) => id === listId);
  const coverage = useQuery(coverageQuery(listId));
  const runs = useQuery(runsOfListQuery(listId, false));
  const work = useListWork({
    lists: lists.data ?? [],
    lastRun: (id) => (id === listId ? lastEnded(runs.data ?? []) : undefined),
    areRunsKnown: runs.isSuccess,
  });
  const search = runs.data?.find(({ searchFor }) => searchFor?.maxResults === ALL_RESULTS);
  const again = search && workOf(search);
  const canFinish = list !== undefined && !list.archived && list.status !== 'processing';
  return (
    <div className="grid grid-cols-1 gap-5" data-paper="wide">
      <PageHeader
        title="Coverage"
        back={
          <Button variant="link" size="sm" asChild>
            <Link to={`/lists/${listId}`} className="max-w-full text-secondary">
              <ArrowLeft aria-hidden />
              <span dir="auto" className="truncate">
                {list?.name ?? 'List'}
              </span>
            </Link>
          </Button>
        }
        description="Where this list was searched for, part by part, and what may be missing."
        actions={
          coverage.data && list ? (
            <>
              <Button onClick={() => saveCertificate(coverage.data, list)}>
                <FileJson aria-hidden />
                Save as JSON
              </Button>
              <Button onClick={() => window.print()}>
                <Printer aria-hidden />
                Print
              </Button>
            </>
          ) : undefined
        }
      />
      {coverage.data ? (
        <Certificate
          listId={listId}
          list={list}
          coverage={coverage.data}
          finish={
            list && again && canFinish ? (
              <Button size="sm" onClick={() => work.again(list, again, true)}>
                Finish these
              </Button>
            ) : null
          }
        />
      ) : coverage.isError ? (
        <Unread query={coverage} list={list} />
      ) : (
        <div className="grid gap-3">
          <Skeleton className="h-40" />
          <Skeleton className="h-72" />
        </div>
      )}
      {work.dialogs}
    </div>
  );
}

function Unread({
  query,
  list,
}: {
  query: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
  list: LeadList | undefined;
}) {
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <EmptyState
        title={list ? 'This list has no certificate' : 'List not found'}
        description={
          list
            ? 'Only lists that were searched for all businesses of an area have one.'
            : 'It may have been deleted, or it may belong to someone else.'
        }
      />
    );
  }
  return (
    <ReadFailed title="The certificate could not be loaded" query={query}>
      {errorMessage(query.error)}
    </ReadFailed>
  );
}
