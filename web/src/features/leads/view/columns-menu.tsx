import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '#web/ui/overlay/popover.tsx';
import {
  type ColumnChoice,
  type ColumnId,
  columnLabel,
  columnsOf,
  DEFAULT_CHOICE,
  isDefaultChoice,
  isMovable,
  moveColumn,
  showColumn,
  type TableTiers,
} from './column-choice.ts';

/** Lets someone choose the columns of the table and their order. */
export function ColumnsMenu({
  tiers,
  choice,
  onChange,
}: {
  tiers: TableTiers;
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
}) {
  return (
    <Popover>
      <PopoverTrigger>
        <Button className="print:hidden">
          <Columns3 aria-hidden />
          Columns
        </Button>
      </PopoverTrigger>
      <PopoverContent label="Columns" align="end" className="w-72">
        <Columns tiers={tiers} choice={choice} onChange={onChange} />
      </PopoverContent>
    </Popover>
  );
}

function Columns({ tiers, choice, onChange }: Parameters<typeof ColumnsMenu>[0]) {
  const columns = columnsOf(tiers, choice);
  const [news, setNews] = useState('');
  // A row that changes places in the page loses the focus.
  const pressed = useRef<HTMLElement>(undefined);
  useLayoutEffect(() => {
    pressed.current?.focus();
    pressed.current = undefined;
  });
  const move = (id: ColumnId, by: -1 | 1, button: HTMLElement) => {
    const next = moveColumn(choice, id, by, columns);
    if (next === choice) return;
    pressed.current = button;
    setNews(`${columnLabel(id)} is now column ${columns.indexOf(id) + by + 1} of ${columns.length}.`);
    onChange(next);
  };
  return (
    <>
      <ul aria-label="Columns of the table" className="grid p-1">
        {columns.map((id, index) => (
          <ColumnRow
            key={id}
            id={id}
            shown={!choice.hidden.includes(id)}
            movableUp={isMovable(id) && index > 1}
            movableDown={isMovable(id) && index < columns.length - 1}
            onShow={(shown) => onChange(showColumn(choice, id, shown))}
            onMove={(by, button) => move(id, by, button)}
          />
        ))}
      </ul>
      {Object.entries(tiers).some(([tier, has]) => tier !== 'openData' && !has) ? (
        <p className="px-3 pb-2 text-faint text-sm">Add emails and contacts or check compliance to get more columns.</p>
      ) : null}
      <div className="border-t p-1">
        <Button
          size="sm"
          variant="ghost"
          className="w-full"
          disabled={isDefaultChoice(choice)}
          onClick={() => {
            setNews('The columns are back to the default.');
            onChange(DEFAULT_CHOICE);
          }}
        >
          Reset columns
        </Button>
      </div>
      <p role="status" className="sr-only">
        {news}
      </p>
    </>
  );
}

function ColumnRow({
  id,
  shown,
  movableUp,
  movableDown,
  onShow,
  onMove,
}: {
  id: ColumnId;
  shown: boolean;
  movableUp: boolean;
  movableDown: boolean;
  onShow: (shown: boolean) => void;
  onMove: (by: -1 | 1, button: HTMLElement) => void;
}) {
  const boxId = useId();
  const label = columnLabel(id);
  const movable = isMovable(id);
  return (
    <li className="flex min-h-9 items-center gap-1 rounded-md pl-2 hover:bg-hover">
      <label htmlFor={boxId} className="flex min-w-0 flex-1 items-center gap-3 py-1.5">
        <Checkbox id={boxId} checked={shown} disabled={!movable} onCheckedChange={(next) => onShow(next === true)} />
        <span className="min-w-0 truncate">{label}</span>
      </label>
      {movable ? (
        <>
          <MoveButton label={`Move ${label} up`} possible={movableUp} onMove={(button) => onMove(-1, button)} />
          <MoveButton label={`Move ${label} down`} possible={movableDown} down onMove={(button) => onMove(1, button)} />
        </>
      ) : (
        <span className="pr-3 text-faint text-sm">always first</span>
      )}
    </li>
  );
}

/** Stays focusable at either end, so that the keyboard is not thrown out of the list. */
function MoveButton({
  label,
  possible,
  down = false,
  onMove,
}: {
  label: string;
  possible: boolean;
  down?: boolean;
  onMove: (button: HTMLElement) => void;
}) {
  const Icon = down ? ArrowDown : ArrowUp;
  return (
    <Button
      size="icon-sm"
      variant="ghost"
      aria-label={label}
      aria-disabled={!possible || undefined}
      className="aria-disabled:opacity-40"
      onClick={(event) => onMove(event.currentTarget)}
    >
      <Icon aria-hidden />
    </Button>
  );
}
