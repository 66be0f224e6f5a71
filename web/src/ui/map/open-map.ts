import { shiftKeyOnly } from 'ol/events/condition.js';
import { containsExtent, createEmpty, extend } from 'ol/extent.js';
import type { FeatureLike } from 'ol/Feature.js';
import Feature from 'ol/Feature.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import OlPoint from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import DragPan from 'ol/interaction/DragPan.js';
import Draw from 'ol/interaction/Draw.js';
import { defaults as defaultInteractions } from 'ol/interaction/defaults.js';
import Modify from 'ol/interaction/Modify.js';
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js';
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import { transform, transformExtent } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import { Circle, Fill, Stroke, Style } from 'ol/style.js';
import View from 'ol/View.js';
import { baseLayers } from './base-layers.ts';
import { type Cell, cellLayer } from './cell-layer.ts';
import { faded, onThemeChange, readColors } from './map-colors.ts';
import type { Point, Polygons } from './polygons.ts';

/** What a click does: nothing, move corners, add corners of a new ring, or set a point. */
export type MapMode = 'look' | 'corners' | 'ring' | 'point';

export type MapEvents = {
  /** Corners of the area were moved, added or removed. */
  onEdited(polygons: Polygons): void;
  /** How many corners the ring has that is being drawn. */
  onCorners(count: number): void;
  onRing(ring: number[][]): void;
  onPoint(point: Point): void;
  /** The rectangle under the pointer, or in the middle after a key. */
  onCell(cell: Cell | undefined): void;
};

export type MapHandle = {
  showArea(polygons: Polygons): void;
  showPoint(point: Point | undefined): void;
  showCells(cells: readonly Cell[]): void;
  setMode(mode: MapMode): void;
  /** Shows all of the area and its rectangles, or the 48 states without any. */
  fit(): void;
  /** Does so where some of it is cut off. */
  fitIfCut(): void;
  zoomBy(levels: number): void;
  /** In the middle of the map, for those without a pointer. */
  addCorner(): void;
  setPoint(): void;
  removeCorner(): void;
  finishRing(): void;
  cancelRing(): void;
  close(): void;
};

const MAP = 'EPSG:3857';
const DEGREES = 'EPSG:4326';
const CONTIGUOUS_USA = [-125, 24, -66.5, 50];
const PADDING = [24, 24, 24, 24];
const ZOOM_MS = 200;
/** A city block fills the map. */
const CLOSEST = 18;
/** How near a press must be to a corner, in pixels. */
const TOLERANCE = 12;

/**
 * Opens a map in an element.
 * @throws when the browser cannot draw.
 */
export function openMap(target: HTMLElement, on: MapEvents): MapHandle {
  if (!document.createElement('canvas').getContext('2d')) throw new Error('This browser has no canvas.');
  const cells = cellLayer();
  const base = baseLayers((x, y) => cells.at(x, y) !== undefined);
  cells.layer.setZIndex(1);
  const area = new VectorSource();
  const point = new VectorSource();
  const areaLayer = new VectorLayer({ source: area, zIndex: 3 });
  const pointLayer = new VectorLayer({ source: point, zIndex: 4 });
  const view = new View({ center: [0, 0], zoom: 2, maxZoom: CLOSEST, multiWorld: true, enableRotation: false });
  const map = new OlMap({
    target,
    controls: [],
    interactions: interactions(target),
    layers: [...base.layers, cells.layer, areaLayer, pointLayer],
    view,
  });
  // The library would keep all touches to itself.
  map.getViewport()?.style.setProperty('touch-action', 'pan-x pan-y');
  const drawing = drawingOf(map, area, on);
  const paint = () => {
    const colors = readColors();
    base.paint(colors);
    cells.paint(colors);
    const line = new Stroke({ color: colors.accent, width: 2 });
    const fill = new Fill({ color: faded(colors.accent, 0.08) });
    const spot = new Circle({ radius: 6, fill: new Fill({ color: colors.accent }), stroke: white(colors.surface) });
    areaLayer.setStyle(new Style({ stroke: line, fill }));
    pointLayer.setStyle(new Style({ image: spot }));
    drawing.setStyle(new Style({ stroke: line, fill, image: spot }));
  };
  paint();
  const endTheme = onThemeChange(paint);

  const say = (coordinate: readonly number[] | undefined) =>
    on.onCell(coordinate && cells.at(coordinate[0] ?? 0, coordinate[1] ?? 0));
  map.on('pointermove', (event) => say(event.coordinate));
  const leave = () => on.onCell(undefined);
  target.addEventListener('pointerleave', leave);
  map.on('moveend', () => {
    if (target.matches(':focus-visible')) say(view.getCenter());
  });
  map.on('singleclick', (event) => {
    if (drawing.mode() === 'point') on.onPoint(pointAt(event));
  });

  let extent: number[] | undefined;
  let cellExtent: number[] | undefined;
  const shown = () => {
    const all = [extent, cellExtent].filter((one) => one !== undefined);
    return all.length > 0 ? all.reduce(extend, createEmpty()) : transformExtent(CONTIGUOUS_USA, DEGREES, MAP);
  };
  const showAll = () => {
    map.updateSize();
    view.fit(shown(), { padding: PADDING, maxZoom: 14 });
  };
  return {
    showArea(polygons) {
      area.clear();
      const geometry = new MultiPolygon(polygons).transform(DEGREES, MAP);
      if (polygons.length > 0) area.addFeature(new Feature(geometry));
      extent = polygons.length > 0 ? geometry.getExtent() : undefined;
    },
    showPoint(at) {
      point.clear();
      if (at) point.addFeature(new Feature(new OlPoint(projected(at))));
    },
    showCells(next) {
      cells.show(next);
      for (const layer of base.layers) layer.changed();
      cellExtent = extentOf(next);
    },
    setMode: drawing.setMode,
    fit: showAll,
    fitIfCut() {
      map.updateSize();
      if (!containsExtent(view.calculateExtent(map.getSize()), shown())) showAll();
    },
    zoomBy(levels) {
      view.animate({ zoom: (view.getZoom() ?? 2) + levels, duration: ZOOM_MS });
    },
    addCorner: () => drawing.addCorner(view.getCenter() ?? [0, 0]),
    setPoint: () => on.onPoint(toPoint(view.getCenter() ?? [0, 0])),
    removeCorner: drawing.removeCorner,
    finishRing: drawing.finish,
    cancelRing: drawing.cancel,
    close() {
      endTheme();
      target.removeEventListener('pointerleave', leave);
      map.setTarget(undefined);
      map.dispose();
    },
  };
}

/** A finger scrolls the page and two move the map; a wheel zooms a map that has the focus, and scrolls the page else. */
function interactions(target: HTMLElement) {
  const all = defaultInteractions({
    dragPan: false,
    mouseWheelZoom: false,
    shiftDragZoom: false,
    doubleClickZoom: false,
  });
  const touches = (event: MapBrowserEvent) =>
    'pointerType' in event.originalEvent && event.originalEvent.pointerType === 'touch';
  const pan: DragPan = new DragPan({
    condition: (event) => !shiftKeyOnly(event) && (!touches(event) || pan.getPointerCount() === 2),
  });
  const zoom = new MouseWheelZoom({
    condition: ({ originalEvent }) => {
      const { ctrlKey = false, metaKey = false } = originalEvent as Partial<WheelEvent>;
      return ctrlKey || metaKey || target === document.activeElement;
    },
  });
  return all.extend([pan, zoom]);
}

/** What moves corners and adds rings, one of them at a time. */
function drawingOf(map: OlMap, source: VectorSource, on: MapEvents) {
  let mode: MapMode = 'look';
  let style = new Style();
  let draw: Draw | undefined;
  let modify: Modify | undefined;
  let corners = 0;
  const say = (count: number) => {
    corners = count;
    on.onCorners(count);
  };
  const start = () => {
    draw = new Draw({ type: 'Polygon', style, snapTolerance: TOLERANCE, stopClick: true });
    draw.on('drawstart', ({ feature }) => {
      say(1);
      feature.getGeometry()?.on('change', () => {
        const count = cornersOf(feature);
        if (count !== corners) say(count);
      });
    });
    draw.on('drawabort', () => say(0));
    draw.on('drawend', ({ feature }) => {
      say(0);
      const geometry = feature.getGeometry();
      const [ring] = geometry instanceof Polygon ? inDegrees(geometry) : [];
      if (ring) on.onRing(ring);
    });
    map.addInteraction(draw);
  };
  const end = () => {
    if (draw) map.removeInteraction(draw);
    if (modify) map.removeInteraction(modify);
    [draw, modify] = [undefined, undefined];
    say(0);
  };
  const setMode = (next: MapMode) => {
    end();
    mode = next;
    if (next === 'ring') start();
    if (next !== 'corners') return;
    modify = new Modify({
      source,
      style,
      pixelTolerance: TOLERANCE,
      deleteCondition: ({ type }) => type === 'dblclick',
    });
    modify.on('modifyend', () => {
      const geometry = source.getFeatures()[0]?.getGeometry();
      if (geometry instanceof MultiPolygon) on.onEdited(inDegrees(geometry));
    });
    map.addInteraction(modify);
  };
  return {
    mode: () => mode,
    setMode,
    setStyle(next: Style) {
      style = next;
      setMode(mode);
    },
    addCorner: (at: number[]) => draw?.appendCoordinates([at]),
    removeCorner: () => draw?.removeLastPoint(),
    finish: () => {
      if (corners >= 3) draw?.finishDrawing();
    },
    cancel: () => draw?.abortDrawing(),
  };
}

/** Without the one that follows the pointer, and the first again at the end. */
function cornersOf(feature: FeatureLike): number {
  const geometry = feature.getGeometry();
  if (!(geometry instanceof Polygon)) return 0;
  return Math.max(0, (geometry.getCoordinates()[0]?.length ?? 0) - 2);
}

const inDegrees = <G extends Polygon | MultiPolygon>(geometry: G) =>
  (geometry.clone() as G).transform(MAP, DEGREES).getCoordinates() as ReturnType<G['getCoordinates']>;

const projected = ({ latitude, longitude }: Point): number[] => transform([longitude, latitude], DEGREES, MAP);
const pointAt = ({ coordinate }: { coordinate: number[] }): Point => toPoint(coordinate);

function toPoint(coordinate: number[]): Point {
  const [longitude = 0, latitude = 0] = transform(coordinate, MAP, DEGREES);
  return { latitude, longitude };
}

function extentOf(cells: readonly Cell[]): number[] | undefined {
  if (cells.length === 0) return undefined;
  const degrees = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  for (const { west, south, east, north } of cells) {
    degrees[0] = Math.min(degrees[0], west);
    degrees[1] = Math.min(degrees[1], south);
    degrees[2] = Math.max(degrees[2], east);
    degrees[3] = Math.max(degrees[3], north);
  }
  return transformExtent(degrees, DEGREES, MAP);
}

const white = (color: string) => new Stroke({ color, width: 2 });
