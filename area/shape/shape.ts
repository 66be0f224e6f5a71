import type { E7, Rectangle } from '#area/rectangle.ts';

/** A closed line of at least three points, in E7. The first point is not repeated at the end. */
export type Ring = readonly (readonly [longitude: E7, latitude: E7])[];

/** Its first ring is the border, the others are holes. */
export type Polygon = readonly Ring[];

/**
 * One or more polygons.
 * - A part that crosses the antimeridian goes on to the east of 180 degrees, up to 540.
 */
export type Shape = readonly Polygon[];

export const FULL_TURN: E7 = 3_600_000_000;
export const HALF_TURN: E7 = 1_800_000_000;

/** Whether a ring goes around a point, by the even-odd rule. */
export function surrounds(ring: Ring, longitude: E7, latitude: E7): boolean {
  let odd = false;
  let before = ring.at(-1);
  for (const point of ring) {
    // Most lines pass elsewhere, and this is asked for thousands of them at a time.
    if (before && point[1] > latitude !== before[1] > latitude) {
      const [[x1, y1], [x2, y2]] = [point, before];
      if (longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
    }
    before = point;
  }
  return odd;
}

/** Whether a ring runs counterclockwise: by twice its area, from the first point, so that numbers stay small. */
export function isCounterclockwise(ring: Ring): boolean {
  const [x0, y0] = ring[0] ?? [0, 0];
  const twice = ring.reduce((sum, [x1, y1], at) => {
    const [x2, y2] = ring[at + 1] ?? [x0, y0];
    return sum + (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }, 0);
  return twice > 0;
}

/** The smallest rectangles that hold all of a shape: one, or two when it lies on both sides of the antimeridian. */
export function framesOf(shape: Shape): Rectangle[] {
  const latitudes = shape.flatMap(([border = []]) => border.map(([, latitude]) => latitude));
  const [south, north] = [least(latitudes), most(latitudes)];
  const { west, east } = narrowest(shape.map(([border = []]) => spanOf(border)));
  if (east <= HALF_TURN) return [{ south, west, north, east }];
  return [
    { south, west, north, east: HALF_TURN },
    { south, west: -HALF_TURN, north, east: east - FULL_TURN },
  ];
}

type Span = { west: E7; east: E7 };

/** What a ring spans; it begins between -180 and 180 degrees. */
function spanOf(ring: Ring): Span {
  const longitudes = ring.map(([longitude]) => longitude);
  const [west, east] = [least(longitudes), most(longitudes)];
  const back = west >= HALF_TURN ? FULL_TURN : 0;
  return { west: west - back, east: east - back };
}

/** The narrowest span that holds all others: all around the earth but for the widest gap between them. */
function narrowest(spans: readonly Span[]): Span {
  const sorted = spans.toSorted((one, other) => one.west - other.west);
  const [first = { west: 0, east: 0 }] = sorted;
  let reached = first.east;
  let widest = { gap: Number.NEGATIVE_INFINITY, west: first.west, east: first.east };
  for (const { west, east } of [...sorted.slice(1), { west: first.west + FULL_TURN, east: 0 }]) {
    if (west - reached > widest.gap) widest = { gap: west - reached, west, east: reached };
    reached = Math.max(reached, east);
  }
  const { west, east } = widest;
  return west >= HALF_TURN ? { west: west - FULL_TURN, east } : { west, east: east + FULL_TURN };
}

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
