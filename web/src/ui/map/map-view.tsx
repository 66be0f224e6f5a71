import { Check, Maximize, Minus, Pencil, Plus, Trash2, Undo2, X } from 'lucide-react';
import { type ComponentType, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Tooltip, TooltipRow } from '#web/ui/overlay/tooltip.tsx';
import type { Cell, CellTone } from './cell-layer.ts';
import type { MapMode } from './open-map.ts';
import { addRing, type Point, type Polygons, unwrapped, wrapped, wrappedPoint } from './polygons.ts';
import { useMap } from './use-map.ts';

/** What can be changed on a map: a shape of any number of parts and holes, or a point. */
export type MapEdit =
  | { kind: 'shape'; onChange: (polygons: Polygons) => void }
  | { kind: 'point'; point: Point | undefined; onChange: (point: Point) => void };

export type CellLayerChoice = { name: string; cells: readonly Cell[] };

/** A map with its tools. Everything works with a pointer, with fingers and with keys. */
export function MapView({
  label,
  area,
  layers,
  words,
  describe,
  edit,
}: {
  label: string;
  area: Polygons;
  /** Rectangles under a name. Only one layer is shown at a time. */
  layers: readonly CellLayerChoice[];
  /** What each color means. */
  words: Readonly<Record<CellTone, string>>;
  /** What a rectangle is. */
  describe: (cell: Cell) => string;
  edit?: MapEdit | undefined;
}) {
  const target = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(area);
  const shape = useMemo(() => unwrapped(JSON.parse(key) as Polygons), [key]);
  const drawnHere = useRef('');
  const [shown, setShown] = useState('');
  const cells = (layers.find(({ name }) => name === shown) ?? layers[0])?.cells ?? NO_CELLS;
  const [cell, setCell] = useState<Cell>();
  const [corners, setCorners] = useState(0);
  const [wantsRing, setWantsRing] = useState(false);
  const [before, setBefore] = useState<readonly Polygons[]>([]);
  const isShape = edit?.kind === 'shape';
  const drawing = isShape && (wantsRing || area.length === 0);
  const mode: MapMode = drawing ? 'ring' : isShape ? 'corners' : edit?.kind === 'point' ? 'point' : 'look';
  const show = (next: Polygons) => {
    const polygons = wrapped(next);
    drawnHere.current = JSON.stringify(polygons);
    if (isShape) edit.onChange(polygons);
  };
  const change = (next: Polygons) => {
    if (!isShape) return;
    setBefore([...before, shape]);
    setWantsRing(false);
    show(next);
  };
  const undo = () => {
    const last = before.at(-1);
    if (!isShape || !last) return;
    setBefore(before.slice(0, -1));
    show(last);
  };
  const map = useMap(
    target,
    {
      area: shape,
      stays: () => key === drawnHere.current,
      point: edit?.kind === 'point' ? edit.point : undefined,
      cells,
      mode,
    },
    {
      onEdited: change,
      onRing: (ring) => change(addRing(shape, ring)),
      onPoint: (point) => edit?.kind === 'point' && edit.onChange(wrappedPoint(point)),
      onCorners: setCorners,
      onCell: setCell,
    },
  );
  const cancel = () => {
    map?.cancelRing();
    setWantsRing(false);
  };
  const act: Partial<Record<string, () => void>> = {
    Enter: mode === 'ring' ? map?.addCorner : mode === 'point' ? map?.setPoint : undefined,
    Backspace: corners > 0 ? map?.removeCorner : undefined,
    Escape: drawing ? cancel : undefined,
  };
  const press = (event: KeyboardEvent) => {
    const does = (event.ctrlKey || event.metaKey) && event.key === 'z' ? undo : act[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  };
  return (
    <>
      <div
        className="relative min-h-0 flex-1"
        data-keeps-escape={drawing && (corners > 0 || wantsRing) ? '' : undefined}
      >
        <div
          ref={target}
          role="application"
          aria-label={label}
          aria-description={HOW_TO[mode]}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map
          tabIndex={0}
          onKeyDown={press}
          className="peer absolute inset-0 touch-pan-x touch-pan-y outline-none"
        />
        <div
          aria-hidden
          className="pointer-events-none absolute inset-0 hidden rounded-lg ring-2 ring-accent ring-inset peer-focus-visible:block before:absolute before:top-1/2 before:left-1/2 before:h-5 before:w-px before:-translate-y-1/2 before:bg-foreground after:absolute after:top-1/2 after:left-1/2 after:h-px after:w-5 after:-translate-x-1/2 after:bg-foreground"
        />
        <TooltipRow>
          <div className="absolute top-2 right-2 grid gap-1">
            <Tool icon={Plus} label="Zoom in" onClick={() => map?.zoomBy(1)} />
            <Tool icon={Minus} label="Zoom out" onClick={() => map?.zoomBy(-1)} />
            <Tool icon={Maximize} label="Show all" onClick={() => map?.fit()} />
          </div>
          {isShape ? (
            <div className="absolute top-2 left-2 flex gap-1">
              {drawing ? (
                <>
                  <Tool icon={Check} label="Finish drawing" disabled={corners < 3} onClick={() => map?.finishRing()} />
                  <Tool
                    icon={Undo2}
                    label="Remove the last corner"
                    disabled={corners === 0}
                    onClick={() => map?.removeCorner()}
                  />
                  {corners > 0 || wantsRing ? <Tool icon={X} label="Stop drawing" onClick={cancel} /> : null}
                </>
              ) : (
                <>
                  <Tool icon={Pencil} label="Draw another part or a hole" onClick={() => setWantsRing(true)} />
                  <Tool icon={Trash2} label="Clear the drawing" onClick={() => change([])} />
                </>
              )}
              {!drawing || corners === 0 ? (
                <Tool icon={Undo2} label="Undo" disabled={before.length === 0} onClick={undo} />
              ) : null}
            </div>
          ) : null}
        </TooltipRow>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t bg-surface px-3 py-1.5 text-secondary text-sm">
        <p role="status" className="min-w-0 flex-1 basis-56 tabular-nums">
          {cell && corners === 0 ? describe(cell) : stepOf(mode, corners)}
        </p>
        {layers.length > 1 ? (
          <Select
            aria-label="Shown on the map"
            value={shown || (layers[0]?.name ?? '')}
            onValueChange={setShown}
            options={layers.map(({ name }) => ({ value: name, label: name }))}
          />
        ) : null}
        <Legend cells={cells} words={words} />
      </div>
    </>
  );
}

const NO_CELLS: readonly Cell[] = [];
const TONES: readonly CellTone[] = ['done', 'warning', 'danger', 'open'];
const SWATCHES: Record<CellTone, string> = {
  done: 'bg-success/45',
  warning: 'bg-warning/60',
  danger: 'bg-danger/50',
  open: 'bg-control/40',
};

/** Only the colors that are to be seen. */
function Legend({ cells, words }: { cells: readonly Cell[]; words: Readonly<Record<CellTone, string>> }) {
  const seen = TONES.filter((tone) => cells.some((cell) => cell.tone === tone));
  return (
    <ul className="flex flex-wrap gap-x-3">
      {seen.map((tone) => (
        <li key={tone} className="flex items-center gap-1.5">
          <span aria-hidden className={cn('size-2.5 rounded-sm', SWATCHES[tone])} />
          {words[tone]}
        </li>
      ))}
    </ul>
  );
}

const MOVE = 'Arrow keys move the map, plus and minus zoom.';
const HOW_TO: Record<MapMode, string> = {
  look: MOVE,
  corners: `${MOVE} The text field below the map holds the same shape.`,
  ring: `${MOVE} Enter sets a corner in the middle, Backspace removes the last one.`,
  point: `${MOVE} Enter sets the center in the middle.`,
};

/** What to do next. */
function stepOf(mode: MapMode, corners: number): string {
  switch (mode) {
    case 'look':
      return 'Boundaries: US Census Bureau';
    case 'corners':
      return 'Drag a corner to move it, or an edge to add one. Double-click a corner to remove it.';
    case 'point':
      return 'Click where the center is.';
    case 'ring':
      if (corners === 0) return 'Click to set the first corner.';
      return corners < 3 ? 'Click to add the next corner.' : 'Add more corners, or double-click to finish.';
  }
}

function Tool({
  icon: Icon,
  label,
  disabled,
  onClick,
}: {
  icon: ComponentType<{ 'aria-hidden': true }>;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip content={label}>
      <Button size="icon-sm" aria-label={label} disabled={disabled} onClick={onClick} className="shadow-raised">
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  );
}
