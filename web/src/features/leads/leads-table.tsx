import { type MouseEvent, memo, type RefObject, useMemo, useRef } from 'react';
import type { Lead } from '#contract/work/leads.ts';
import { LEAD_SORTS, type LeadSort } from '#contract/work/leads-of-list.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { useInPortions } from '#web/ui/layout/use-in-portions.ts';
import { ScrollRegion } from '#web/ui/table/scroll-region.tsx';
import { SortableHead, TableHead } from '#web/ui/table/table.tsx';
import { isSelected, type LeadSelection, select } from './lead-selection.ts';
import { type ColumnId, columnLabel } from './view/column-choice.ts';
import { LEAD_CELLS } from './view/columns.tsx';
import type { LeadsView } from './view/leads-view.ts';

/** Rows a checkbox for, kept in view with the name while the rest scrolls sideways. */
const STICKY = 'sticky z-10 bg-inherit print:static';
/** The name, with a shade over what has scrolled under it. */
const NAME = `${STICKY} left-10 transition-shadow group-data-[more-left]/scroll:shadow-[6px_0_8px_-6px_rgb(0_0_0/0.35)]`;
const BOX = `${STICKY} left-0 w-10 min-w-10 pr-0 print:hidden`;
/** What a phone shows of a list. */
const ROWS_AT_ONCE = 10;
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

/**
 * A page of leads. What is sorted stands in `sort`; which rows are chosen, in `selection`. `whole`: all rows at once, else a
 * phone's screen of them at a time.
 */
export function LeadsTable({
  leads,
  busy,
  whole,
  ...props
}: Props & { leads: readonly Lead[]; busy: boolean; whole: boolean }) {
  const drawn = useInPortions(leads, { whole, portion: ROWS_AT_ONCE });
  const { columns, toggle } = useRows(leads, props);
  const { selection, onSelectionChange, onDetails } = props;
  const ids = leads.map(({ id }) => id);
  const chosen = ids.filter((id) => isSelected(selection, id)).length;
  return (
    <ScrollRegion
      label="Leads"
      // What gets the focus must not stop behind the headings or the names.
      className="scroll-pt-10 scroll-pl-48 md:max-h-[max(26rem,calc(100dvh-20rem))] md:scroll-pl-80 print:max-h-none"
    >
      <table aria-busy={busy || undefined} {...tableProps(props)}>
        <Head
          {...props}
          all="Select all leads of this page"
          checked={chosen === 0 ? false : chosen === ids.length || 'indeterminate'}
          onCheckedChange={(checked) => onSelectionChange(select(selection, ids, checked))}
        />
        <tbody className="[&_tr:last-child>td]:border-b-0">
          {drawn.map((lead) => (
            <Row
              key={lead.id}
              lead={lead}
              columns={columns}
              selected={isSelected(selection, lead.id)}
              onToggle={toggle}
              onDetails={onDetails}
            />
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
  const { scroller, before, after, rows } = shown;
  const leads = rows.flatMap(({ lead }) => lead ?? []);
  const { columns, toggle } = useRows(leads, props);
  const { selection, onDetails } = props;
  const width = props.columns.length + 1;
  return (
    <ScrollRegion
      label="Leads"
      scroller={scroller}
      className="max-h-[max(26rem,calc(100dvh-20rem))] scroll-pt-10 scroll-pl-48 md:scroll-pl-80"
    >
      <table aria-rowcount={total + 1} data-rows="all" {...tableProps(props)}>
        <Head {...props} all="Select all leads" checked={chosen} onCheckedChange={onChooseAll} />
        <tbody>
          <Room height={before} width={width} />
          {rows.map(({ index, lead }) =>
            lead ? (
              <Row
                key={index}
                index={index}
                lead={lead}
                columns={columns}
                selected={isSelected(selection, lead.id)}
                onToggle={toggle}
                onDetails={onDetails}
              />
            ) : (
              <tr key={index} aria-rowindex={index + 2} className={ROW}>
                <td colSpan={width} className={CELL}>
                  <span className="sr-only">Loading</span>
                  <Skeleton className="ml-10 w-64 max-w-full" />
                </td>
              </tr>
            ),
          )}
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

type Toggle = (id: string, chosen: boolean, range: boolean) => void;

/** What rows are given that stays the same as long as it does the same, so that only rows that change are drawn again. */
function useRows(leads: readonly Lead[], { columns, selection, onSelectionChange }: Props) {
  const last = useRef<string>(undefined);
  const ids = columns.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` stands for what `columns` holds
  const same = useMemo(() => columns, [ids]);
  const act: Toggle = (id, chosen, range) => {
    const shown = leads.map((lead) => lead.id);
    const [from, to] = [shown.indexOf(last.current ?? id), shown.indexOf(id)].sort((a, b) => a - b);
    const meant = range && from !== undefined && from >= 0 && to !== undefined ? shown.slice(from, to + 1) : [id];
    last.current = id;
    onSelectionChange(select(selection, meant, chosen));
  };
  const newest = useRef(act);
  newest.current = act;
  const toggle = useMemo<Toggle>(
    () =>
      (...change) =>
        newest.current(...change),
    [],
  );
  return { columns: same, toggle };
}

const tableProps = ({ columns }: Props) => ({
  'data-enriched': columns.includes('email') || undefined,
  className: 'group/leads w-full border-separate border-spacing-0 text-left transition-opacity aria-busy:opacity-60',
});

const ROW = 'bg-surface transition-colors print:break-inside-avoid hover:bg-muted data-[state=selected]:bg-accent-soft';

function Head({
  columns,
  sort: chosenSort,
  all,
  checked,
  onSort,
  onCheckedChange,
}: Pick<Props, 'columns' | 'sort' | 'onSort'> & {
  /** What the box in the corner is called. */
  all: string;
  checked: boolean | 'indeterminate';
  onCheckedChange: (checked: boolean) => void;
}) {
  // By a column that is not shown, no heading would tell of the order.
  const sort = chosenSort && columns.includes(chosenSort.column) ? chosenSort : undefined;
  return (
    <thead className="sticky top-0 z-20 bg-muted print:static">
      <tr className="bg-muted [&>th]:border-b">
        <TableHead className={BOX}>
          <Checkbox aria-label={all} checked={checked} onCheckedChange={onCheckedChange} />
        </TableHead>
        {columns.map((id) => {
          const sortable = LEAD_SORTS.find((column) => column === id);
          const label = columnLabel(id);
          if (!sortable) return <TableHead key={id}>{label}</TableHead>;
          return (
            <SortableHead
              key={id}
              direction={sort?.column === sortable ? sort.direction : undefined}
              onSort={() => onSort(sortable)}
              className={id === 'businessName' ? NAME : undefined}
            >
              {label}
            </SortableHead>
          );
        })}
      </tr>
    </thead>
  );
}

/** `index`: in a table that has only some of its rows in the document. */
const Row = memo(function Row({
  lead,
  index,
  columns,
  selected,
  onToggle,
  onDetails,
}: {
  lead: Lead;
  index?: number;
  columns: readonly ColumnId[];
  selected: boolean;
  onToggle: Toggle;
  onDetails: (lead: Lead) => void;
}) {
  return (
    <tr
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-state={selected ? 'selected' : undefined}
      className={ROW}
    >
      <td className={`${CELL} ${BOX}`}>
        <Checkbox
          aria-label={`Select ${lead.businessName}`}
          checked={selected}
          // With Shift, all from the last one on.
          onClick={(event: MouseEvent) => onToggle(lead.id, !selected, event.shiftKey)}
        />
      </td>
      {columns.map((id) => {
        const Cell = LEAD_CELLS[id];
        return id === 'businessName' ? (
          <td key={id} className={`${CELL} ${NAME}`}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => onDetails(lead)}
              className="block rounded-sm text-left underline-offset-4 hover:underline"
            >
              <Cell lead={lead} />
            </button>
          </td>
        ) : (
          <td key={id} className={CELL}>
            <Cell lead={lead} />
          </td>
        );
      })}
    </tr>
  );
});
