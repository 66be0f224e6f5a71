import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { SearchX, Users } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { visibleTiers } from '#contract/work/exports.ts';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { LeadCounts } from '#contract/work/leads-of-list.ts';
import { LEADS_PAGE_SIZE, type LeadList } from '#contract/work/lists.ts';
import { LEADS_AT_ONCE, leadCountsQuery, leadsQuery } from '#web/features/leads/api.ts';
import { BulkBar } from '#web/features/leads/bulk-bar.tsx';
import { type ColumnId, shownColumns } from '#web/features/leads/column-choice.ts';
import { ColumnsMenu } from '#web/features/leads/columns-menu.tsx';
import { filterWords } from '#web/features/leads/filter-words.ts';
import { ActiveFilters, FiltersMenu } from '#web/features/leads/filters-menu.tsx';
import { LeadDetails } from '#web/features/leads/lead-details.tsx';
import { countSelected, type LeadSelection, NO_LEADS, toChoice } from '#web/features/leads/lead-selection.ts';
import { LeadsTable } from '#web/features/leads/leads-table.tsx';
import {
  changeLeadsView,
  isFiltered,
  type LeadsView,
  nextSort,
  readLeadsView,
} from '#web/features/leads/leads-view.ts';
import { LeadsTableSkeleton } from '#web/features/leads/table-skeleton.tsx';
import { useColumnChoice } from '#web/features/leads/use-column-choice.ts';
import { formOf } from '#web/features/search/api.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { usePrinting } from '#web/ui/layout/use-printing.ts';
import { Pagination } from '#web/ui/table/pagination.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

type Props = {
  list: LeadList;
  /** How many leads the list has, and what they have. */
  counts: UseQueryResult<LeadCounts>;
  /** Why its search kept nothing, where it found something. */
  whyEmpty: string | undefined;
  work: ListWork;
};

/** The leads of a list under a heading of their own, for those who go from heading to heading. */
export function LeadsSection(props: Props) {
  return (
    <div className="grid min-w-0 gap-3">
      <h2 className="sr-only">Leads</h2>
      <LeadsInAnyState {...props} />
    </div>
  );
}

/** The leads of a list in each of their states: being read, unreadable, none yet, none at all, and the table. */
function LeadsInAnyState({ list, counts, whyEmpty, work }: Props) {
  const navigate = useNavigate();
  if ((counts.data?.leads ?? list.leadCount) > 0) return <Leads list={list} counts={counts.data} work={work} />;
  if (counts.isError) {
    return (
      <ReadFailed title="The leads could not be read" query={counts}>
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

function Leads({ list, counts, work }: { list: LeadList; counts: LeadCounts | undefined; work: ListWork }) {
  const [params, setParams] = useSearchParams();
  const view = readLeadsView(params);
  const change = (next: Partial<LeadsView>) =>
    setParams(changeLeadsView(view, next), { replace: next.page === undefined, preventScrollReset: true });
  const { filter } = view;
  const filtered = isFiltered(filter);
  const matching = useQuery({ ...leadCountsQuery(list.id, { matching: filter }), enabled: filtered });
  const total = filtered ? matching.data?.leads : (counts?.leads ?? list.leadCount);
  const tiers = visibleTiers(list, counts ?? countsBefore(list));
  const [choice, setChoice] = useColumnChoice();
  const [selection, setSelection] = useState(NO_LEADS);
  return (
    <>
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
        <div className="ml-auto">
          <ColumnsMenu tiers={tiers} choice={choice} onChange={setChoice} />
        </div>
      </div>
      <ActiveFilters filter={filter} onChange={(next) => change({ filter: next })} />
      {matching.isError && filtered ? (
        <ReadFailed title="The leads could not be read" query={matching}>
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

/** A page of the leads that the filter leaves, on paper more, with what can be done with those that are chosen. */
function LeadRows({
  list,
  view,
  selection,
  total,
  columns,
  work,
  onChange,
  onSelectionChange,
}: {
  list: LeadList;
  view: LeadsView;
  selection: LeadSelection;
  /** How many leads the filter leaves. */
  total: number;
  columns: readonly ColumnId[];
  work: ListWork;
  onChange: (change: Partial<LeadsView>) => void;
  onSelectionChange: (selection: LeadSelection) => void;
}) {
  const [detailed, setDetailed] = useState<Lead>();
  const panel = useRunAddress();
  const printing = usePrinting();
  const page = Math.min(view.page, Math.max(1, Math.ceil(total / LEADS_PAGE_SIZE)));
  const first = (page - 1) * LEADS_PAGE_SIZE;
  const offset = first - (first % LEADS_AT_ONCE);
  const { filter, sort } = view;
  const leads = useQuery(leadsQuery({ listId: list.id, filter, sort, offset }));
  // While others are being read, those that were there stay.
  const [settled, setSettled] = useState<{ leads: readonly Lead[]; skip: number; sort: LeadsView['sort'] }>();
  const skip = first - offset;
  if (leads.data && (leads.data.leads !== settled?.leads || skip !== settled.skip))
    setSettled({ leads: leads.data.leads, skip, sort });
  // A table is drawn in slices: on a slow phone it takes a good part of a second.
  const drawn = useDeferredValue(settled);
  if (leads.isError && !leads.data) {
    return (
      <ReadFailed title="The leads could not be read" query={leads}>
        {errorMessage(leads.error)}
      </ReadFailed>
    );
  }
  if (!drawn) return <LeadsTableSkeleton />;
  const shown = printing ? drawn.leads : drawn.leads.slice(drawn.skip, drawn.skip + LEADS_PAGE_SIZE);
  const selected = countSelected(selection, total);
  const chosen = { choice: toChoice(selection), count: selected };
  return (
    <>
      {printing && total > drawn.leads.length ? (
        <p>{`These are ${formatCount(drawn.leads.length)} of ${formatCount(total)} leads. Export the list to get all of them.`}</p>
      ) : null}
      <LeadsTable
        leads={shown}
        busy={!leads.data}
        columns={columns}
        sort={drawn.sort}
        selection={selection}
        onSort={(column) => onChange({ sort: nextSort(sort, column) })}
        onSelectionChange={onSelectionChange}
        onDetails={setDetailed}
      />
      {selected > 0 ? (
        <BulkBar
          count={selected}
          all={
            selected === total
              ? undefined
              : {
                  label: `Select all ${formatCount(total)}${isFiltered(filter) ? ' matching' : ''}`,
                  onSelect: () => onSelectionChange({ kind: 'matching', filter, except: new Set() }),
                }
          }
          workable={list.status !== 'processing' && !list.archived}
          onExport={() => work.exportSelected(list, chosen)}
          onEnrich={() => work.enrichSelected(list, chosen)}
          onCopy={() => work.copySelected(list, chosen)}
          onMove={() => work.moveSelected(list, chosen, () => onSelectionChange(NO_LEADS))}
          onDelete={() => work.deleteSelected(list, chosen, () => onSelectionChange(NO_LEADS))}
          onCheckCompliance={() => work.checkSelected(list, chosen)}
          onClear={() => onSelectionChange(NO_LEADS)}
        />
      ) : null}
      <Pagination
        page={page}
        pageSize={LEADS_PAGE_SIZE}
        total={total}
        noun="leads"
        onPageChange={(next) => onChange({ page: next })}
      />
      {detailed ? (
        <LeadDetails
          lead={drawn.leads.find(({ id }) => id === detailed.id) ?? detailed}
          onRun={(runId) => {
            setDetailed(undefined);
            panel.show(runId);
          }}
          onClose={() => setDetailed(undefined)}
        />
      ) : null}
    </>
  );
}
