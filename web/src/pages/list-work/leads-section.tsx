import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX, Users } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { visibleTiers } from '#contract/work/exports.ts';
import type { Lead } from '#contract/work/leads.ts';
import { LEADS_PAGE_SIZE, type LeadList } from '#contract/work/lists.ts';
import { BulkBar } from '#web/features/leads/bulk-bar.tsx';
import { shownColumns } from '#web/features/leads/column-choice.ts';
import { ColumnsMenu } from '#web/features/leads/columns-menu.tsx';
import { LeadDetails } from '#web/features/leads/lead-details.tsx';
import { LeadsTable } from '#web/features/leads/leads-table.tsx';
import {
  changeLeadsView,
  type LeadsView,
  leadsContaining,
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
import { Pagination } from '#web/ui/table/pagination.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

type Props = {
  list: LeadList;
  leads: UseQueryResult<Lead[]>;
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
function LeadsInAnyState({ list, leads, whyEmpty, work }: Props) {
  const navigate = useNavigate();
  // A table is drawn in slices: on a slow phone it takes a good part of a second.
  const drawn = useDeferredValue(leads.data);
  if (drawn && drawn.length > 0) return <Leads list={list} all={drawn} work={work} />;
  if (leads.isError) {
    return (
      <ReadFailed title="The leads could not be read" query={leads}>
        {errorMessage(leads.error)}
      </ReadFailed>
    );
  }
  if (!drawn || list.status === 'processing') return <LeadsTableSkeleton />;
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

function Leads({ list, all, work }: { list: LeadList; all: Lead[]; work: ListWork }) {
  const [params, setParams] = useSearchParams();
  const [selection, setSelection] = useState<Record<string, true>>({});
  const [detailed, setDetailed] = useState<string>();
  const panel = useRunAddress();
  const details = all.find((lead) => lead.id === detailed);
  const view = readLeadsView(params);
  const change = (next: Partial<LeadsView>) =>
    setParams(changeLeadsView(view, next), { replace: next.page === undefined, preventScrollReset: true });

  const tiers = visibleTiers(list, all);
  const [choice, setChoice] = useColumnChoice();
  const shown = leadsContaining(all, view.search);
  const pages = Math.max(1, Math.ceil(shown.length / LEADS_PAGE_SIZE));
  // Rows may go while they are chosen: what counts is what is still there.
  const selected = all.filter((lead) => selection[lead.id]).map((lead) => lead.id);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Filter leads"
          placeholder="Filter leads"
          value={view.search}
          onValueChange={(search) => change({ search })}
          className="min-w-0 flex-1 sm:w-72 sm:flex-none print:hidden"
        />
        {view.search ? (
          <p role="status" className="text-secondary text-sm tabular-nums">
            {plural(shown.length, 'lead')} {shown.length === 1 ? 'matches' : 'match'}
          </p>
        ) : null}
        <div className="ml-auto">
          <ColumnsMenu tiers={tiers} choice={choice} onChange={setChoice} />
        </div>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No leads match"
          description="Nothing in this list contains that text."
          action={<Button onClick={() => change({ search: '' })}>Clear filters</Button>}
        />
      ) : (
        <>
          <LeadsTable
            leads={shown}
            columns={shownColumns(tiers, choice)}
            view={view}
            selection={selection}
            onSort={(column) => change({ sort: nextSort(view.sort, column) })}
            onSelectionChange={setSelection}
            onDetails={(lead) => setDetailed(lead.id)}
          />
          {selected.length > 0 ? (
            <BulkBar
              count={selected.length}
              all={
                shown.every((lead) => selection[lead.id])
                  ? undefined
                  : {
                      label: `Select all ${formatCount(shown.length)}${view.search ? ' matching' : ''}`,
                      onSelect: () => setSelection(Object.fromEntries(shown.map((lead) => [lead.id, true] as const))),
                    }
              }
              checkable={list.status !== 'processing' && !list.archived}
              onExport={() => work.exportSelected(list, selected)}
              onCheckCompliance={() => work.checkSelected(list, selected)}
              onClear={() => setSelection({})}
            />
          ) : null}
          <Pagination
            page={Math.min(view.page, pages)}
            pageSize={LEADS_PAGE_SIZE}
            total={shown.length}
            noun="leads"
            onPageChange={(page) => change({ page })}
          />
        </>
      )}
      {details ? (
        <LeadDetails
          lead={details}
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
