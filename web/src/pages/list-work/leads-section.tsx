import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { SearchX, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { visibleTiers } from '#contract/work/exports/visible-tiers.ts';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { leadCountsQuery } from '#web/features/leads/api.ts';
import { type LeadSelection, NO_LEADS } from '#web/features/leads/lead-selection.ts';
import { LeadsTableSkeleton } from '#web/features/leads/table-skeleton.tsx';
import { shownColumns } from '#web/features/leads/view/column-choice.ts';
import { ColumnsMenu } from '#web/features/leads/view/columns-menu.tsx';
import { filterWords } from '#web/features/leads/view/filter-words.ts';
import { ActiveFilters, FiltersMenu } from '#web/features/leads/view/filters-menu.tsx';
import { changeLeadsView, isFiltered, type LeadsView, readLeadsView } from '#web/features/leads/view/leads-view.ts';
import { useColumnChoice } from '#web/features/leads/view/use-column-choice.ts';
import { formOf } from '#web/features/search/api.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { LeadRows } from './lead-rows.tsx';
import { BesideMap, MapToggle } from './map/beside-map.tsx';
import type { ListWork } from './use-list-work.tsx';

const SessionCounts = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/calling/session-counts.tsx'), 'SessionCounts')).SessionCounts,
}));

type Props = {
  list: LeadList;
  /** How many leads the list has, and what they have. */
  counts: UseQueryResult<LeadCounts>;
  /** Why its search kept nothing, where it found something. */
  whyEmpty: string | undefined;
  work: ListWork;
  /** Whether it was searched for all of an area, which a map can show. */
  hasMap: boolean;
};

/** The leads of a list under a heading of their own, for those who go from heading to heading. */
export function LeadsSection(props: Props) {
  return (
    <div className="grid min-w-0 gap-3">
      <h2 className="sr-only">Leads</h2>
      <BesideMap list={props.list} hasMap={props.hasMap}>
        <LeadsInAnyState {...props} />
      </BesideMap>
    </div>
  );
}

/** The leads of a list in each of their states: being read, unreadable, none yet, none at all, and the table. */
function LeadsInAnyState({ list, counts, whyEmpty, work, hasMap }: Props) {
  const navigate = useNavigate();
  if ((counts.data?.leads ?? list.leadCount) > 0)
    return <Leads list={list} counts={counts.data} work={work} hasMap={hasMap} />;
  if (counts.isError) {
    return (
      <ReadFailed title="The leads could not be loaded" query={counts}>
        {errorMessage(counts.error)}
      </ReadFailed>
    );
  }
  if (!counts.data || list.status === 'processing') return <LeadsTableSkeleton />;
  return (
    <EmptyState
      icon={Users}
      title="No leads found"
      description={
        <>
          {whyEmpty ? <span className="mb-1 block">{whyEmpty}</span> : null}
          <span>Try adjusting your search parameters</span>
        </>
      }
      action={
        <Button
          variant="primary"
          onClick={() => void navigate('/', { state: { fromSearch: true, again: formOf(list.searchParams) } })}
        >
          Run New Search
        </Button>
      }
    />
  );
}

function Leads({
  list,
  counts,
  work,
  hasMap,
}: Omit<Props, 'counts' | 'whyEmpty'> & { counts: LeadCounts | undefined }) {
  const [params, setParams] = useSearchParams();
  const view = readLeadsView(params);
  const change = (next: Partial<LeadsView>) =>
    setParams(changeLeadsView(view, next), { replace: next.page === undefined, state: STAY });
  const { filter } = view;
  const filtered = isFiltered(filter);
  const matching = useQuery({ ...leadCountsQuery(list.id, { matching: filter }), enabled: filtered });
  const meant = filtered ? matching.data : counts;
  const total = filtered ? meant?.leads : (meant?.leads ?? list.leadCount);
  const tiers = { ...visibleTiers(list, counts ?? countsBefore(list)), openData: (counts?.openData ?? 0) > 0 };
  const [choice, setChoice] = useColumnChoice();
  const [selection, setSelection] = useState(NO_LEADS);
  return (
    <>
      {tiers.compliance ? (
        <Suspense fallback={<div className="min-h-11" />}>
          <SessionCounts
            listId={list.id}
            sandbox={list.sandbox}
            onShowCallable={() => change({ filter: { ...filter, call: 'callable' } })}
            onCallableFirst={() => change({ sort: { column: 'call', direction: 'asc' } })}
          />
        </Suspense>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Filter leads"
          placeholder="Filter leads"
          value={filter.q ?? ''}
          onValueChange={(q) => change({ filter: { ...filter, q: q || undefined } })}
          className="min-w-0 flex-1 max-sm:basis-full sm:w-72 sm:flex-none print:hidden"
        />
        <FiltersMenu filter={filter} onChange={(next) => change({ filter: next })} />
        {filtered && total !== undefined ? (
          <p role="status" className="text-secondary text-sm tabular-nums">
            {plural(total, 'lead')} {total === 1 ? 'matches' : 'match'}
          </p>
        ) : null}
        <div className="ml-auto flex gap-2">
          {hasMap ? <MapToggle /> : null}
          <ColumnsMenu tiers={tiers} choice={choice} onChange={setChoice} />
        </div>
      </div>
      <ActiveFilters filter={filter} onChange={(next) => change({ filter: next })} />
      {matching.isError && filtered ? (
        <ReadFailed title="The leads could not be loaded" query={matching}>
          {errorMessage(matching.error)}
        </ReadFailed>
      ) : total === undefined ? (
        <LeadsTableSkeleton />
      ) : total === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No leads match"
          description={
            filterWords(filter).length === 0
              ? 'Nothing in this list contains that text.'
              : 'No lead of this list fits all of these filters.'
          }
          action={<Button onClick={() => change({ filter: {} })}>Clear filters</Button>}
        />
      ) : (
        <LeadRows
          list={list}
          view={view}
          selection={isOfOtherFilter(selection, filter) ? NO_LEADS : selection}
          total={total}
          digest={meant?.digest}
          columns={shownColumns(tiers, choice)}
          work={work}
          onChange={change}
          onSelectionChange={setSelection}
        />
      )}
    </>
  );
}

/** All that matched another filter than the one that is shown now. Rows that were chosen one by one stay chosen. */
const isOfOtherFilter = (selection: LeadSelection, filter: LeadFilter): boolean =>
  selection.kind === 'matching' && JSON.stringify(selection.filter) !== JSON.stringify(filter);

/** What a list says of itself until its leads have been counted. */
const countsBefore = ({ hasEmails, hasContacts }: LeadList) => ({
  emails: Number(hasEmails),
  contacts: Number(hasContacts),
  verifications: 0,
  safe: 0,
  flagged: 0,
});
