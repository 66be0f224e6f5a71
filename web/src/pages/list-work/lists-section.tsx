import { useQuery } from '@tanstack/react-query';
import { Archive, ListPlus, Plus, SearchX } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type LeadList, LISTS_PAGE_SIZE } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { complianceSummaryQuery } from '#web/features/compliance/api.ts';
import { verdictsText } from '#web/features/compliance/verdicts-text.ts';
import { ListCard } from '#web/features/lists/list-card.tsx';
import { CARD_GRID, ListsSkeleton } from '#web/features/lists/lists-skeleton.tsx';
import { ListsToolbar } from '#web/features/lists/lists-toolbar.tsx';
import { changeListsView, type ListsView, pageOfLists, readListsView } from '#web/features/lists/lists-view.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { CancelRun } from '#web/features/runs/cancel-run.tsx';
import type { Remedy } from '#web/features/runs/remedy.ts';
import { currentRun, runProgress, waitingText } from '#web/features/runs/run-words.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useAfterPress } from '#web/lib/browser/press.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { useDrawn } from '#web/lib/query/use-drawn.ts';
import { useStanding } from '#web/lib/query/use-standing.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { useFontsFor } from '#web/ui/layout/use-fonts-for.ts';
import { useInPortions } from '#web/ui/layout/use-in-portions.ts';
import { Pagination } from '#web/ui/table/pagination.tsx';
import { RemedyButton } from './remedy-button.tsx';
import type { ListWork } from './use-list-work.tsx';
import type { useLists } from './use-lists.ts';
import { useRunAddress } from './use-run-address.ts';

/** What a phone shows, or a row of a wide screen. */
const CARDS_AT_ONCE = 3;
/** While the first page loads, cards out of view are neither laid out nor painted, and take the height that the highest have. */
const LAID_OUT_IN_VIEW =
  '[contain-intrinsic-size:auto_25rem] [content-visibility:auto] print:[content-visibility:visible]';
const NO_LISTS: readonly LeadList[] = [];

/** 'My Lists': which ones the address asks for, as cards. */
export function ListsSection({ lists, work }: { lists: ReturnType<typeof useLists>; work: ListWork }) {
  // The first page is drawn in portions; a later one finds its lists here, and where one had scrolled to.
  const drawn = useDrawn();
  const [whole] = useState(drawn && lists.data !== undefined);
  return (
    <section aria-labelledby="my-lists" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="my-lists" className="font-semibold text-lg">
            My Lists
          </h2>
          <p className="text-secondary">Your saved lead generation searches</p>
        </div>
        <Button onClick={() => work.newSearch()}>
          <Plus aria-hidden />
          New Search
        </Button>
      </div>
      {lists.query.isError && lists.data ? (
        <ReadAgain query={lists.query} title="These lists may be out of date" />
      ) : null}
      {lists.data ? (
        <Lists all={lists.data} whole={whole} work={work} />
      ) : lists.query.isError ? (
        <ReadAgain query={lists.query} title="Your lists could not be loaded" />
      ) : (
        <ListsSkeleton />
      )}
    </section>
  );
}

function ReadAgain({ query, title }: { query: ReturnType<typeof useLists>['query']; title: string }) {
  return (
    <ReadFailed title={title} query={query}>
      {errorMessage(query.error)}
    </ReadFailed>
  );
}

function Lists({ whole, ...latest }: { all: LeadList[]; whole: boolean; work: ListWork }) {
  // What comes meanwhile, such as why a list failed, would move a button from under a press.
  const [all, work] = [useAfterPress(latest.all), useAfterPress(latest.work)];
  const now = useNow();
  const [params, setParams] = useSearchParams();
  const view = readListsView(params);
  const { lists, total, page, unfiltered } = pageOfLists(all, view);
  useFontsFor(lists.map(({ name }) => name).join(''));
  const drawn = useInPortions(lists, { whole, portion: CARDS_AT_ONCE });
  // Left out of view, they would not follow a change of the theme.
  const laidOut = useInPortions(useStanding() ? lists : NO_LISTS, { whole, portion: CARDS_AT_ONCE }).length;
  if (all.length === 0) {
    return (
      <EmptyState
        icon={ListPlus}
        title="No lists yet"
        description="Get started by searching for leads"
        action={
          <Button variant="primary" onClick={() => work.newSearch()}>
            Create Your First List
          </Button>
        }
      />
    );
  }
  const change = (next: Partial<ListsView>) => {
    // A page is a step of its own; filters and typing would fill the history.
    setParams(changeListsView(view, next), {
      replace: next.page === undefined,
      state: next.page === undefined ? STAY : null,
    });
  };
  const archivedCount = all.filter((list) => list.archived).length;
  return (
    <>
      <ListsToolbar
        view={view}
        activeCount={all.length - archivedCount}
        archivedCount={archivedCount}
        onChange={change}
      />
      {lists.length === 0 ? (
        <NothingToShow view={view} narrowed={unfiltered > 0} onChange={change} />
      ) : (
        <ul className={CARD_GRID} aria-label="Lists">
          {drawn.map((list, index) => {
            const failed = list.status === 'failed';
            const failure = failed ? work.failure(list) : undefined;
            return (
              <li
                key={list.id}
                className={cn('min-w-0 contain-content', !whole && index >= laidOut && LAID_OUT_IN_VIEW)}
              >
                <Card
                  list={list}
                  now={now}
                  lastRun={failed ? work.lastRun(list) : undefined}
                  failure={failure?.reason}
                  remedy={failure?.remedy}
                  handlers={work.handlers}
                  onMend={work.mend}
                />
              </li>
            );
          })}
        </ul>
      )}
      {total > 0 && drawn.length === lists.length ? (
        <Pagination
          page={page}
          pageSize={LISTS_PAGE_SIZE}
          total={total}
          noun="lists"
          onPageChange={(next) => change({ page: next })}
        />
      ) : null}
    </>
  );
}

/** Drawn again only when its own list changes: a page holds dozens. */
const Card = memo(function Card({
  list,
  now,
  lastRun,
  failure,
  remedy,
  handlers,
  onMend,
}: {
  list: LeadList;
  now: number;
  /** Of a list that failed. */
  lastRun: Run | undefined;
  /** Why the list failed, and what mends it. */
  failure: string | undefined;
  remedy: Remedy | undefined;
  handlers: ListWork['handlers'];
  onMend: ListWork['mend'];
}) {
  const processing = list.status === 'processing';
  // The newest run alone would not do: it may be one that waits for the one at work.
  const drawn = useDrawn({ wanted: processing });
  const runs = useQuery({ ...runsOfListQuery(list.id, processing), enabled: drawn && processing });
  const run = currentRun(runs.data ?? []);
  return (
    <ListCard
      list={list}
      now={now}
      progress={run ? runProgress(run) : { text: 'Starting', percent: undefined }}
      waiting={run ? waitingText(run) : undefined}
      runActions={
        <RunActions
          list={list}
          run={processing ? run : lastRun}
          remedy={remedy}
          onMend={(mending) => onMend(mending, list.id)}
        />
      }
      failure={failure}
      verdicts={list.complianceChecked ? <Verdicts list={list} /> : null}
      {...handlers}
    />
  );
});

/** What the compliance checks of a list found. */
function Verdicts({ list }: { list: LeadList }) {
  const summary = useQuery({ ...complianceSummaryQuery(list), enabled: useDrawn() });
  if (!summary.data) return null;
  return <p className="text-secondary text-sm tabular-nums">{verdictsText(summary.data)}</p>;
}

/** Work under way or failed: its details, its end, and how to fix it. */
function RunActions({
  list,
  run,
  remedy,
  onMend,
}: {
  list: LeadList;
  run: Run | undefined;
  remedy: Remedy | undefined;
  onMend: (remedy: Remedy) => void;
}) {
  const panel = useRunAddress();
  if (list.archived || (list.status !== 'processing' && list.status !== 'failed')) return null;
  return (
    <>
      {run ? (
        <Button size="sm" variant="ghost" onClick={() => panel.show(run.id)}>
          Details
          <span className="sr-only"> of {list.name}</span>
        </Button>
      ) : null}
      {run && list.status === 'processing' ? <CancelRun run={run} of={list.name} size="sm" variant="ghost" /> : null}
      {remedy ? <RemedyButton remedy={remedy} of={list.name} onPress={() => onMend(remedy)} /> : null}
    </>
  );
}

/** Nothing in this half of the lists, or nothing left after filter and search. */
function NothingToShow({
  view,
  narrowed,
  onChange,
}: {
  view: ListsView;
  narrowed: boolean;
  onChange: (change: Partial<ListsView>) => void;
}): ReactNode {
  if (narrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="No lists match"
        description="Nothing matches the filter and the search."
        action={<Button onClick={() => onChange({ filter: 'all', search: '' })}>Clear filters</Button>}
      />
    );
  }
  return view.lifecycle === 'archived' ? (
    <EmptyState
      icon={Archive}
      title="No archived lists"
      description="Archived lists are kept for 30 days, then deleted."
    />
  ) : (
    <EmptyState
      icon={Archive}
      title="No active lists"
      description="All of your lists are archived."
      action={<Button onClick={() => onChange({ lifecycle: 'archived' })}>Show archived lists</Button>}
    />
  );
}
