import { type E7, toE7 } from '#area/rectangle.ts';
import { segmentMeets } from './relate.ts';
import { FULL_TURN, type Polygon, type Shape } from './shape.ts';

type Point = { latitude: number; longitude: number };
type Line = readonly [from: Polygon[number][number], to: Polygon[number][number]];
/** The lines of a polygon by the latitudes that they reach, in bands of equal height. */
type Banded = { south: E7; west: E7; east: E7; height: number; bands: readonly (readonly Line[])[] };

const MOST_BANDS = 4_096;
/** In how many bands a line stands, on average: with more, long lines would take too much memory. */
const BANDS_OF_A_LINE = 16;

const kept = new WeakMap<Shape, readonly Banded[]>();

/** Says of points whether they lie in a shape or on its border, as `holds` does: quickly for many points and shapes of many lines. */
export function holderOf(shape: Shape): (point: Point) => boolean {
  const polygons = kept.get(shape) ?? shape.map(inBands);
  kept.set(shape, polygons);
  return ({ latitude, longitude }) => {
    const [south, west] = [toE7(latitude), toE7(longitude)];
    return polygons.some((polygon) => isIn(polygon, south, west) || isIn(polygon, south, west + FULL_TURN));
  };
}

function inBands(polygon: Polygon): Banded {
  const lines = polygon.flatMap((ring) => ring.map((to, at): Line => [ring.at(at - 1) ?? to, to]));
  let [south, west, north, east] = [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE];
  let rise = 1;
  for (const [[, before], [longitude, latitude]] of lines) {
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
    [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
    rise += Math.abs(latitude - before);
  }
  const wanted = Math.floor((BANDS_OF_A_LINE * lines.length * (north - south)) / rise);
  const count = Math.min(MOST_BANDS, Math.max(1, wanted));
  const height = Math.max(1, (north - south) / count);
  const bands = Array.from({ length: count + 1 }, (): Line[] => []);
  const bandOf = (latitude: number) => Math.floor((latitude - south) / height);
  for (const line of lines) {
    const [[, from], [, to]] = line;
    for (let at = bandOf(Math.min(from, to)); at <= bandOf(Math.max(from, to)); at += 1) bands[at]?.push(line);
  }
  return { south, west, east, height, bands };
}

function isIn({ south: first, west: least, east: most, height, bands }: Banded, south: E7, west: E7): boolean {
  if (west + 1 < least || west > most) return false;
  const cell = { south, west, north: south + 1, east: west + 1 };
  const [here, above] = [south, south + 1].map((latitude) => bands[Math.floor((latitude - first) / height)] ?? []);
  if (here?.some(([from, to]) => segmentMeets(cell, from, to))) return true;
  if (above !== here && above?.some(([from, to]) => segmentMeets(cell, from, to))) return true;
  let odd = false;
  for (const [[x1, y1], [x2, y2]] of here ?? [])
    if (y1 > south !== y2 > south && west < x1 + ((south - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
  return odd;
}
