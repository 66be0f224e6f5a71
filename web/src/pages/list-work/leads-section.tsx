import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { SearchX, Users } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { visibleTiers } from '#contract/work/exports.ts';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { LeadSort } from '#contract/work/leads-of-list.ts';
import { LEADS_PAGE_SIZE, type LeadList } from '#contract/work/lists.ts';
import { LEADS_AT_ONCE, leadCountsQuery, leadsQuery } from '#web/features/leads/api.ts';
import { BulkBar } from '#web/features/leads/bulk-bar.tsx';
import { type ColumnId, shownColumns } from '#web/features/leads/column-choice.ts';
import { ColumnsMenu } from '#web/features/leads/columns-menu.tsx';
import { filterWords } from '#web/features/leads/filter-words.ts';
import { ActiveFilters, FiltersMenu } from '#web/features/leads/filters-menu.tsx';
import { LeadDetails } from '#web/features/leads/lead-details.tsx';
import { countSelected, type LeadSelection, NO_LEADS, toChoice } from '#web/features/leads/lead-selection.ts';
import { AllLeadsTable, LeadsTable } from '#web/features/leads/leads-table.tsx';
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
import { useLeadWindow } from './use-lead-window.ts';
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
  const scrolls = view.rows === 'all' && !printing;
  const leads = useQuery({ ...leadsQuery({ listId: list.id, filter, sort, offset }), enabled: !scrolls });
  const shownNow = useLeadWindow({ listId: list.id, view, total: scrolls ? total : 0 });
  // While others are being read, those that were there stay.
  const [settled, setSettled] = useState<Drawn>();
  const skip = first - offset;
  if (leads.data && (leads.data.leads !== settled?.leads || skip !== settled.skip))
    setSettled({ leads: leads.data.leads, skip, sort });
  // A table is drawn in slices: on a slow phone it takes a good part of a second.
  const drawn = useDeferredValue(settled);
  const failed = scrolls ? shownNow.failed : leads.isError && !leads.data ? leads : undefined;
  if (failed) {
    return (
      <ReadFailed title="The leads could not be read" query={failed}>
        {errorMessage(failed.error)}
      </ReadFailed>
    );
  }
  const selected = countSelected(selection, total);
  const chosen = { choice: toChoice(selection), count: selected };
  const allMatching: LeadSelection = { kind: 'matching', filter, except: new Set() };
  const table = {
    columns,
    selection,
    onSort: (column: LeadSort) => onChange({ sort: nextSort(sort, column) }),
    onSelectionChange,
    onDetails: setDetailed,
  };
  return (
    <>
      {scrolls ? (
        <AllLeadsTable
          {...table}
          sort={sort}
          shown={shownNow}
          total={total}
          chosen={selected === 0 ? false : selected === total || 'indeterminate'}
          onChooseAll={(all) => onSelectionChange(all ? allMatching : NO_LEADS)}
        />
      ) : drawn ? (
        <PageOfLeads {...table} drawn={drawn} total={total} busy={!leads.data} printing={printing} />
      ) : (
        <LeadsTableSkeleton />
      )}
      {selected > 0 ? (
        <BulkBar
          count={selected}
          all={
            selected === total
              ? undefined
              : {
                  label: `Select all ${formatCount(total)}${isFiltered(filter) ? ' matching' : ''}`,
                  onSelect: () => onSelectionChange(allMatching),
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
      {scrolls || drawn ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
          {scrolls ? (
            <p className="text-secondary text-sm tabular-nums">{`All ${plural(total, 'lead')}`}</p>
          ) : (
            <Pagination
              page={page}
              pageSize={LEADS_PAGE_SIZE}
              total={total}
              noun="leads"
              onPageChange={(next) => onChange({ page: next })}
              className="flex-1"
            />
          )}
          {total > LEADS_PAGE_SIZE ? (
            <Button variant="link" size="sm" onClick={() => onChange({ rows: scrolls ? 'page' : 'all' })}>
              {scrolls ? 'Show pages' : 'Scroll through all'}
            </Button>
          ) : null}
        </div>
      ) : null}
      {detailed ? (
        <LeadDetails
          lead={drawn?.leads.find(({ id }) => id === detailed.id) ?? detailed}
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

/** Leads as they were read: in which order, and how many stand before the page that is shown. */
type Drawn = { leads: readonly Lead[]; skip: number; sort: LeadsView['sort'] };

function PageOfLeads({
  drawn,
  total,
  printing,
  ...table
}: Omit<Parameters<typeof LeadsTable>[0], 'leads' | 'sort'> & { drawn: Drawn; total: number; printing: boolean }) {
  const { leads, skip, sort } = drawn;
  return (
    <>
      {printing && total > leads.length ? (
        <p>{`These are ${formatCount(leads.length)} of ${formatCount(total)} leads. Export the list to get all of them.`}</p>
      ) : null}
      <LeadsTable {...table} leads={printing ? leads : leads.slice(skip, skip + LEADS_PAGE_SIZE)} sort={sort} />
    </>
  );
}
