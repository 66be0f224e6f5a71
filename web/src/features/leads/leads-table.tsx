import { useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Lead } from '#contract/work/leads.ts';
import { LEAD_SORTS, type LeadSort } from '#contract/work/leads-of-list.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { ScrollRegion } from '#web/ui/table/scroll-region.tsx';
import { SortableHead, TableHead } from '#web/ui/table/table.tsx';
import type { ColumnId } from './column-choice.ts';
import { leadColumns } from './columns.tsx';
import { isSelected, type LeadSelection, select } from './lead-selection.ts';
import type { LeadsView } from './leads-view.ts';
import { leadFeatures } from './table-features.ts';

/** Rows a checkbox for, kept in view with the name while the rest scrolls sideways. */
const STICKY = 'sticky z-10 bg-inherit print:static';
/** The name, with a shade over what has scrolled under it. */
const NAME = `${STICKY} left-10 transition-shadow group-data-[more-left]/scroll:shadow-[6px_0_8px_-6px_rgb(0_0_0/0.35)]`;
const BOX = `${STICKY} left-0 w-10 min-w-10 pr-0 print:hidden`;
const CELL = 'h-10 border-b px-3 py-1.5 align-middle';

/** Some leads as rows. What is sorted stands in `sort`; which rows are chosen, in `selection`. */
export function LeadsTable({
  leads,
  busy,
  columns,
  sort: chosenSort,
  selection,
  onSort,
  onSelectionChange,
  onDetails,
}: {
  leads: readonly Lead[];
  /** Whether others are being read in their place. */
  busy: boolean;
  /** In the order in which they stand. */
  columns: readonly ColumnId[];
  sort: LeadsView['sort'];
  selection: LeadSelection;
  onSort: (column: LeadSort) => void;
  onSelectionChange: (next: LeadSelection) => void;
  /** Shows where a lead's values come from; its name opens it. */
  onDetails: (lead: Lead) => void;
}) {
  'use no memo';
  const ids = columns.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` stands for what `columns` holds
  const defined = useMemo(() => leadColumns(columns), [ids]);
  // By a column that is not shown, no heading would tell of the order.
  const sort = chosenSort && columns.includes(chosenSort.column) ? chosenSort : undefined;
  const rowSelection = Object.fromEntries(
    leads.filter(({ id }) => isSelected(selection, id)).map(({ id }) => [id, true] as const),
  );
  const table = useTable({
    features: leadFeatures,
    columns: defined,
    data: leads,
    getRowId: (lead) => lead.id,
    state: { rowSelection },
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(rowSelection) : update;
      const changed = leads.map(({ id }) => id).filter((id) => Boolean(next[id]) !== Boolean(rowSelection[id]));
      const [added, removed] = [changed.filter((id) => next[id]), changed.filter((id) => !next[id])];
      onSelectionChange(select(select(selection, added, true), removed, false));
    },
  });
  const allChosen = table.getIsAllRowsSelected();
  const someChosen = table.getIsSomeRowsSelected();
  return (
    <ScrollRegion
      label="Leads"
      // What gets the focus must not stop behind the headings or the names.
      className="scroll-pt-10 scroll-pl-48 md:max-h-[max(26rem,calc(100dvh-20rem))] md:scroll-pl-80 print:max-h-none"
    >
      <table
        aria-busy={busy || undefined}
        data-enriched={columns.includes('email') || undefined}
        className="group/leads w-full transition-opacity aria-busy:opacity-60 border-separate border-spacing-0 text-left"
      >
        <thead className="sticky top-0 z-20 bg-muted print:static">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="bg-muted [&>th]:border-b">
              <TableHead className={BOX}>
                <Checkbox
                  aria-label="Select all leads of this page"
                  checked={allChosen ? true : someChosen ? 'indeterminate' : false}
                  onCheckedChange={(checked) => table.toggleAllRowsSelected(checked === true)}
                />
              </TableHead>
              {group.headers.map((header) => {
                const sortable = LEAD_SORTS.find((column) => column === header.column.id);
                const label = <table.FlexRender header={header} />;
                const sticky = header.column.id === 'businessName' ? NAME : undefined;
                if (!sortable) return <TableHead key={header.id}>{label}</TableHead>;
                return (
                  <SortableHead
                    key={header.id}
                    direction={sort?.column === sortable ? sort.direction : undefined}
                    onSort={() => onSort(sortable)}
                    className={sticky}
                  >
                    {label}
                  </SortableHead>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody className="[&_tr:last-child>td]:border-b-0">
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              data-state={row.getIsSelected() ? 'selected' : undefined}
              className="bg-surface transition-colors print:break-inside-avoid hover:bg-muted data-[state=selected]:bg-accent-soft"
            >
              <td className={`${CELL} ${BOX}`}>
                <Checkbox
                  aria-label={`Select ${row.original.businessName}`}
                  checked={row.getIsSelected()}
                  onClick={(event) =>
                    row.getToggleSelectedHandler()({
                      target: { checked: !row.getIsSelected() },
                      shiftKey: event.shiftKey,
                    })
                  }
                />
              </td>
              {row.getAllCells().map((cell) =>
                cell.column.id === 'businessName' ? (
                  <td key={cell.id} className={`${CELL} ${NAME}`}>
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      onClick={() => onDetails(row.original)}
                      className="block rounded-sm text-left underline-offset-4 hover:underline"
                    >
                      <table.FlexRender cell={cell} />
                    </button>
                  </td>
                ) : (
                  <td key={cell.id} className={CELL}>
                    <table.FlexRender cell={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
