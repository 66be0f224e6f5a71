import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import type { Lead } from '#contract/work/leads.ts';
import type { LeadSort } from '#contract/work/leads-of-list.ts';
import { LEADS_PAGE_SIZE, type LeadList } from '#contract/work/lists.ts';
import { LEADS_AT_ONCE, leadsQuery } from '#web/features/leads/api.ts';
import { BulkBar } from '#web/features/leads/bulk-bar.tsx';
import { CallsOfList } from '#web/features/leads/call-cell.tsx';
import { countSelected, type LeadSelection, NO_LEADS, toChoice } from '#web/features/leads/lead-selection.ts';
import { LeadsTable } from '#web/features/leads/leads-table.tsx';
import { LeadsTableSkeleton } from '#web/features/leads/table-skeleton.tsx';
import type { ColumnId } from '#web/features/leads/view/column-choice.ts';
import { isFiltered, type LeadsView, nextSort } from '#web/features/leads/view/leads-view.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { useDrawn } from '#web/lib/query/use-drawn.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { useMediaQuery } from '#web/ui/layout/use-media-query.ts';
import { usePrinting } from '#web/ui/layout/use-printing.ts';
import { Pagination } from '#web/ui/table/pagination.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

// Few scroll through all leads: what measures and places their rows comes when someone does.
const ScrollingLeads = lazy(async () => ({
  default: (await loadAgain(() => import('./scrolling-leads.tsx'), 'ScrollingLeads')).ScrollingLeads,
}));
const LeadDetails = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/leads/details/lead-details.tsx'), 'LeadDetails')).LeadDetails,
}));
const CallPanel = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/calling/call-panel.tsx'), 'CallPanel')).CallPanel,
}));

/** A page of the leads that the filter leaves, on paper more, with what can be done with those that are chosen. */
export function LeadRows({
  list,
  view,
  selection,
  total,
  digest,
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
  /** Stands for exactly these. */
  digest: string | undefined;
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
  // On a phone the first page is drawn in portions; a later one finds its leads here, and where one had scrolled to.
  const late = useDrawn({ wanted: false });
  const narrow = useMediaQuery('(width < 40rem)');
  const [kept] = useState(late && leads.data !== undefined);
  // While others are being read, those that were there stay.
  const [settled, setSettled] = useState<Drawn>();
  const skip = first - offset;
  if (leads.data && (leads.data.leads !== settled?.leads || skip !== settled.skip))
    setSettled({ leads: leads.data.leads, skip, sort });
  // A table is drawn in slices: on a slow phone it takes a good part of a second.
  const drawn = useDeferredValue(settled);
  if (!scrolls && leads.isError && !leads.data) {
    return (
      <ReadFailed title="The leads could not be loaded" query={leads}>
        {errorMessage(leads.error)}
      </ReadFailed>
    );
  }
  const selected = countSelected(selection, total);
  const chosen = { choice: toChoice(selection), count: selected, ...(selection.kind === 'matching' ? { digest } : {}) };
  const allMatching: LeadSelection = { kind: 'matching', filter, except: new Set() };
  const table = {
    columns,
    selection,
    onSort: (column: LeadSort) => onChange({ sort: nextSort(sort, column) }),
    onSelectionChange,
    onDetails: setDetailed,
  };
  return (
    <CallsOfList value={list.id}>
      {scrolls ? (
        <Suspense fallback={<LeadsTableSkeleton />}>
          <ScrollingLeads
            {...table}
            listId={list.id}
            view={view}
            total={total}
            chosen={selected === 0 ? false : selected === total || 'indeterminate'}
            onChooseAll={(all) => onSelectionChange(all ? allMatching : NO_LEADS)}
          />
        </Suspense>
      ) : drawn ? (
        <PageOfLeads
          {...table}
          drawn={drawn}
          total={total}
          busy={!leads.data}
          whole={kept || !narrow || printing}
          printing={printing}
        />
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
        <Suspense fallback={null}>
          <LeadDetails
            lead={drawn?.leads.find(({ id }) => id === detailed.id) ?? detailed}
            call={
              <Suspense fallback={null}>
                <CallPanel leadId={detailed.id} />
              </Suspense>
            }
            onRun={(runId) => {
              setDetailed(undefined);
              panel.show(runId);
            }}
            onClose={() => setDetailed(undefined)}
          />
        </Suspense>
      ) : null}
    </CallsOfList>
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
