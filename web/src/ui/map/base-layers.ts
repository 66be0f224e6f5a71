import { getCenter } from 'ol/extent.js';
import type { FeatureLike } from 'ol/Feature.js';
import TopoJSON from 'ol/format/TopoJSON.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import { Fill, Stroke, Style, Text } from 'ol/style.js';
import countiesUrl from 'us-atlas/counties-10m.json?url';
import statesUrl from 'us-atlas/states-10m.json?url';
import type { MapColors } from './map-colors.ts';

type Level = { url: string; object: 'states' | 'counties'; zIndex: number; minZoom?: number; namesFrom: number };

const STATES: Level = { url: statesUrl, object: 'states', zIndex: 0, namesFrom: 3.5 };
/** Fetched when someone first looks as closely as this: they are a quarter of a megabyte. */
const COUNTIES: Level = { url: countiesUrl, object: 'counties', zIndex: 2, minZoom: 6.5, namesFrom: 8.5 };

const FONT = '400 11px "Inter Variable", "Inter Fallback", sans-serif';

/** Whether something is drawn at a place of the projected map, so that a name there would be in its way. */
type IsCovered = (x: number, y: number) => boolean;

export type BaseLayers = { layers: VectorLayer[]; paint(colors: MapColors): void };

/** The states and counties of the USA with their names, from the files that came with the page. */
export function baseLayers(isCovered: IsCovered): BaseLayers {
  const layers = [STATES, COUNTIES].map((level) => layerOf(level, isCovered));
  return {
    layers: layers.map(({ layer }) => layer),
    paint(colors) {
      for (const { paint } of layers) paint(colors);
    },
  };
}

function layerOf(level: Level, isCovered: IsCovered) {
  const { url, object, zIndex, minZoom } = level;
  const source = new VectorSource({ url, format: new TopoJSON({ layers: [object] }) });
  const layer = new VectorLayer({
    source,
    zIndex,
    declutter: true,
    ...(minZoom === undefined ? {} : { minZoom }),
  });
  return { layer, paint: (colors: MapColors) => layer.setStyle(styleOf(level, colors, isCovered)) };
}

function styleOf({ object, namesFrom }: Level, colors: MapColors, isCovered: IsCovered) {
  const isState = object === 'states';
  const text = new Text({ font: FONT, fill: new Fill({ color: colors.secondary }) });
  const stroke = new Stroke({ color: isState ? colors.control : colors.border, width: 1 });
  const plain = new Style({ stroke, ...(isState ? { fill: new Fill({ color: colors.surface }) } : {}) });
  const named = new Style({ ...(isState ? { fill: new Fill({ color: colors.surface }) } : {}), stroke, text });
  return (feature: FeatureLike, resolution: number) => {
    const [x = 0, y = 0] = getCenter(feature.getGeometry()?.getExtent() ?? []);
    if (zoomOf(resolution) < namesFrom || isCovered(x, y)) return plain;
    const name = feature.get('name');
    text.setText(typeof name === 'string' ? name : '');
    return named;
  };
}

/** Meters in a pixel at the equator when the whole earth is 256 pixels wide. */
const WIDEST = 156_543.033_928_04;
const zoomOf = (resolution: number): number => Math.log2(WIDEST / resolution);
