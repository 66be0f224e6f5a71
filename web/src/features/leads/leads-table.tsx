import { useTable } from '@tanstack/react-table';
import { type RefObject, useMemo } from 'react';
import type { Lead } from '#contract/work/leads.ts';
import { LEAD_SORTS, type LeadSort } from '#contract/work/leads-of-list.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
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

/** A table that scrolls through all leads has these rows in its document, and room for the others. */
export type LeadWindow = {
  scroller: RefObject<HTMLElement | null>;
  /** The height of what stands before and after these rows, in pixels. */
  before: number;
  after: number;
  /** Numbered from 0; without a lead while it is being read. */
  rows: readonly { index: number; lead: Lead | undefined }[];
};

type Props = {
  /** In the order in which they stand. */
  columns: readonly ColumnId[];
  sort: LeadsView['sort'];
  selection: LeadSelection;
  onSort: (column: LeadSort) => void;
  onSelectionChange: (next: LeadSelection) => void;
  /** Shows where a lead's values come from; its name opens it. */
  onDetails: (lead: Lead) => void;
};

/** A page of leads. What is sorted stands in `sort`; which rows are chosen, in `selection`. */
export function LeadsTable({ leads, busy, ...props }: Props & { leads: readonly Lead[]; busy: boolean }) {
  'use no memo';
  const table = useLeadsTable(leads, props);
  return (
    <ScrollRegion
      label="Leads"
      // What gets the focus must not stop behind the headings or the names.
      className="scroll-pt-10 scroll-pl-48 md:max-h-[max(26rem,calc(100dvh-20rem))] md:scroll-pl-80 print:max-h-none"
    >
      <table aria-busy={busy || undefined} {...tableProps(props)}>
        <Head
          {...props}
          table={table}
          all="Select all leads of this page"
          checked={table.getIsAllRowsSelected() ? true : table.getIsSomeRowsSelected() ? 'indeterminate' : false}
          onCheckedChange={(checked) => table.toggleAllRowsSelected(checked)}
        />
        <tbody className="[&_tr:last-child>td]:border-b-0">
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} {...rowProps(row)}>
              <Cells table={table} row={row} onDetails={props.onDetails} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** All leads in one table, of which only those in view are in the document. */
export function AllLeadsTable({
  shown,
  total,
  chosen,
  onChooseAll,
  ...props
}: Props & {
  shown: LeadWindow;
  total: number;
  /** Whether all leads are chosen, or some. */
  chosen: boolean | 'indeterminate';
  onChooseAll: (chosen: boolean) => void;
}) {
  'use no memo';
  const { scroller, before, after, rows } = shown;
  const leads = rows.flatMap(({ lead }) => lead ?? []);
  const table = useLeadsTable(leads, props);
  const rowOf = new Map(table.getRowModel().rows.map((row) => [row.id, row]));
  const width = props.columns.length + 1;
  return (
    <ScrollRegion
      label="Leads"
      scroller={scroller}
      className="max-h-[max(26rem,calc(100dvh-20rem))] scroll-pt-10 scroll-pl-48 md:scroll-pl-80"
    >
      <table aria-rowcount={total + 1} data-rows="all" {...tableProps(props)}>
        <Head {...props} table={table} all="Select all leads" checked={chosen} onCheckedChange={onChooseAll} />
        <tbody>
          <Room height={before} width={width} />
          {rows.map(({ index, lead }) => {
            const row = lead && rowOf.get(lead.id);
            return (
              <tr key={index} aria-rowindex={index + 2} {...rowProps(row)}>
                {row ? (
                  <Cells table={table} row={row} onDetails={props.onDetails} />
                ) : (
                  <td colSpan={width} className={CELL}>
                    <span className="sr-only">Loading</span>
                    <Skeleton className="ml-10 w-64 max-w-full" />
                  </td>
                )}
              </tr>
            );
          })}
          <Room height={after} width={width} />
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The place of rows that are not in the document. */
const Room = ({ height, width }: { height: number; width: number }) =>
  height > 0 ? (
    <tr aria-hidden>
      <td colSpan={width} style={{ height, padding: 0 }} />
    </tr>
  ) : null;

function useLeadsTable(leads: readonly Lead[], { columns, selection, onSelectionChange }: Props) {
  'use no memo';
  const ids = columns.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` stands for what `columns` holds
  const defined = useMemo(() => leadColumns(columns), [ids]);
  const rowSelection = Object.fromEntries(
    leads.filter(({ id }) => isSelected(selection, id)).map(({ id }) => [id, true] as const),
  );
  return useTable({
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
}

type LeadsTableModel = ReturnType<typeof useLeadsTable>;
type LeadTableRow = ReturnType<LeadsTableModel['getRowModel']>['rows'][number];

const tableProps = ({ columns }: Props) => ({
  'data-enriched': columns.includes('email') || undefined,
  className: 'group/leads w-full border-separate border-spacing-0 text-left transition-opacity aria-busy:opacity-60',
});

const rowProps = (row: LeadTableRow | undefined) => ({
  'data-state': row?.getIsSelected() ? 'selected' : undefined,
  className:
    'bg-surface transition-colors print:break-inside-avoid hover:bg-muted data-[state=selected]:bg-accent-soft',
});

function Head({
  table,
  columns,
  sort: chosenSort,
  all,
  checked,
  onSort,
  onCheckedChange,
}: Pick<Props, 'columns' | 'sort' | 'onSort'> & {
  table: LeadsTableModel;
  /** What the box in the corner is called. */
  all: string;
  checked: boolean | 'indeterminate';
  onCheckedChange: (checked: boolean) => void;
}) {
  'use no memo';
  // By a column that is not shown, no heading would tell of the order.
  const sort = chosenSort && columns.includes(chosenSort.column) ? chosenSort : undefined;
  return (
    <thead className="sticky top-0 z-20 bg-muted print:static">
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id} className="bg-muted [&>th]:border-b">
          <TableHead className={BOX}>
            <Checkbox aria-label={all} checked={checked} onCheckedChange={(next) => onCheckedChange(next === true)} />
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
  );
}

function Cells({ table, row, onDetails }: Pick<Props, 'onDetails'> & { table: LeadsTableModel; row: LeadTableRow }) {
  'use no memo';
  return (
    <>
      <td className={`${CELL} ${BOX}`}>
        <Checkbox
          aria-label={`Select ${row.original.businessName}`}
          checked={row.getIsSelected()}
          onClick={(event) =>
            row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, shiftKey: event.shiftKey })
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
    </>
  );
}
