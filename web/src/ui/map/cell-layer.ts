import Layer from 'ol/layer/Layer.js';
import type { FrameState } from 'ol/Map.js';
import { fromLonLat } from 'ol/proj.js';
import { faded, type MapColors } from './map-colors.ts';

/** How a rectangle is drawn: as done, as something to look at, as something that went wrong, or as not done yet. */
export type CellTone = 'done' | 'warning' | 'danger' | 'open';

/** A rectangle in degrees, with the number that stands in it. East may lie past 180 degrees. */
export type Cell = { south: number; west: number; north: number; east: number; tone: CellTone; count: number };

/** Its left, top, right and bottom edge on the projected map. */
type Drawn = { cell: Cell; left: number; top: number; right: number; bottom: number };

/** The earth's width on the projected map. */
const WORLD = 2 * 20_037_508.342_789_244;
const FULL_COUNT = 60;
const FONT = '500 11px "Inter Variable", "Inter Fallback", sans-serif';
/** A number needs so many pixels. */
const LABEL_HEIGHT = 18;
const LABEL_WIDTH_PER_DIGIT = 8;

export type CellLayer = {
  layer: Layer;
  show(cells: readonly Cell[]): void;
  paint(colors: MapColors): void;
  /** The rectangle at a place of the projected map. */
  at(x: number, y: number): Cell | undefined;
};

/**
 * Draws rectangles by themselves, and not as shapes of the map library. So each frame can draw ten thousand of them
 * while the map moves.
 */
export function cellLayer(): CellLayer {
  let drawn: Drawn[] = [];
  let colors: MapColors | undefined;
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none';
  const layer = new Layer({
    render(frame) {
      if (colors) drawCells(canvas, frame, drawn, colors);
      return canvas;
    },
  });
  return {
    layer,
    show(cells) {
      drawn = cells.map(project);
      layer.changed();
    },
    paint(next) {
      colors = next;
      layer.changed();
    },
    at(x, y) {
      return drawn.find(({ left, right, top, bottom }) => {
        const near = x - WORLD * Math.round((x - (left + right) / 2) / WORLD);
        return near >= left && near < right && y >= bottom && y < top;
      })?.cell;
    },
  };
}

function project(cell: Cell): Drawn {
  const [left = 0, bottom = 0] = fromLonLat([0, cell.south]);
  const [, top = 0] = fromLonLat([0, cell.north]);
  const across = (longitude: number) => left + (longitude / 360) * WORLD;
  return { cell, left: across(cell.west), top, right: across(cell.east), bottom };
}

function drawCells(canvas: HTMLCanvasElement, frame: FrameState, cells: readonly Drawn[], colors: MapColors): void {
  const [width = 0, height = 0] = frame.size;
  const { pixelRatio } = frame;
  const size = { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) };
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const [scaleX = 1, , , scaleY = -1, offsetX = 0, offsetY = 0] = frame.coordinateToPixelTransform;
  const center = frame.viewState.center[0] ?? 0;
  for (const { cell, left, top, right, bottom } of cells) {
    const turn = WORLD * Math.round((center - (left + right) / 2) / WORLD);
    const x = (left + turn) * scaleX + offsetX;
    const cellWidth = (right - left) * scaleX;
    const y = top * scaleY + offsetY;
    const cellHeight = (bottom - top) * scaleY;
    if (x > width || y > height || x + cellWidth < 0 || y + cellHeight < 0) continue;
    // A line's width between them, unless nothing would be left.
    const gap = cellWidth > 4 && cellHeight > 4 ? 1 : 0;
    context.fillStyle = fillOf(cell, colors);
    context.fillRect(x, y, cellWidth - gap, cellHeight - gap);
    const label = String(cell.count);
    if (cell.tone === 'open' || cellHeight < LABEL_HEIGHT || cellWidth < LABEL_WIDTH_PER_DIGIT * (label.length + 1))
      continue;
    context.fillStyle = colors.foreground;
    context.fillText(label, x + cellWidth / 2, y + cellHeight / 2);
  }
}

/** The more a rectangle holds, the stronger its color. */
function fillOf({ tone, count }: Cell, colors: MapColors): string {
  switch (tone) {
    case 'done':
      return faded(colors.success, 0.12 + 0.4 * Math.min(1, count / FULL_COUNT));
    case 'warning':
      return faded(colors.warning, 0.6);
    case 'danger':
      return faded(colors.danger, 0.5);
    case 'open':
      return faded(colors.control, 0.25);
  }
}
