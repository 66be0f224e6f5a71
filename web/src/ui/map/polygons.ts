/** Several polygons in degrees, longitude first, as a GeoJSON MultiPolygon has them: rings are closed, further ones are holes. */
export type Polygons = number[][][][];
export type Point = { latitude: number; longitude: number };

const HALF_TURN = 180;
const FULL_TURN = 360;
const LONGEST_STEP = 170;
/** A ten-millionth of a degree is a centimeter, finer than anyone draws. */
const DIGITS = 6;

/** Adds a drawn ring: as a hole where it begins inside a polygon, else as a part of its own. */
export function addRing(polygons: Polygons, ring: number[][]): Polygons {
  const around = polygons.findIndex((rings) => holds(rings, ring[0] ?? []));
  if (around < 0) return [...polygons, [ring]];
  return polygons.map((rings, at) => (at === around ? [...rings, ring] : rings));
}

/** With rings over the antimeridian going on past 180 degrees, and holes beside their border. */
export const unwrapped = (polygons: Polygons): Polygons =>
  polygons.map((rings) => {
    const [border = [], ...holes] = rings.map(unwrappedRing);
    const west = westOf(border);
    return [border, ...holes.map((hole) => moved(hole, FULL_TURN * Math.ceil((west - westOf(hole)) / FULL_TURN)))];
  });

/**
 * With all longitudes from -180 to 180, as GeoJSON wants them.
 * - Borders run counterclockwise, in steps of less than half a turn: so it is clear which of them cross the antimeridian.
 */
export const wrapped = (polygons: Polygons): Polygons =>
  polygons.map((rings) =>
    rings.map((ring, at) =>
      inSteps(at === 0 && isOverAntimeridian(ring) && isClockwise(ring) ? ring.toReversed() : ring).map(
        ([x = 0, y = 0]) => [rounded(wrappedLongitude(x)), rounded(y)],
      ),
    ),
  );

const isOverAntimeridian = (ring: number[][]): boolean => ring.some(([x = 0]) => Math.abs(x) > HALF_TURN);

const isClockwise = (ring: number[][]): boolean =>
  ring.reduce((sum, [x1 = 0, y1 = 0], at) => {
    const [x2 = 0, y2 = 0] = ring[(at + 1) % ring.length] ?? [];
    return sum + x1 * y2 - x2 * y1;
  }, 0) < 0;

/** With points on lines that are longer. */
function inSteps(ring: number[][]): number[][] {
  return ring.flatMap(([x = 0, y = 0], at) => {
    const [nextX = x, nextY = y] = ring[at + 1] ?? [];
    const steps = Math.max(1, Math.ceil(Math.abs(nextX - x) / LONGEST_STEP));
    return Array.from({ length: steps }, (_, step) => [
      x + ((nextX - x) * step) / steps,
      y + ((nextY - y) * step) / steps,
    ]);
  });
}

export const wrappedPoint = ({ latitude, longitude }: Point): Point => ({
  latitude: rounded(latitude),
  longitude: rounded(wrappedLongitude(longitude)),
});

function unwrappedRing(ring: number[][]): number[][] {
  let turns = 0;
  let before = ring[0]?.[0] ?? 0;
  const points = ring.map(([x = 0, y = 0]) => {
    if (x - before > HALF_TURN) turns -= 1;
    else if (before - x > HALF_TURN) turns += 1;
    before = x;
    return [x + turns * FULL_TURN, y];
  });
  return westOf(points) < -HALF_TURN ? moved(points, FULL_TURN) : points;
}

function wrappedLongitude(longitude: number): number {
  if (Math.abs(longitude) <= HALF_TURN) return longitude;
  return ((((longitude + HALF_TURN) % FULL_TURN) + FULL_TURN) % FULL_TURN) - HALF_TURN;
}

const rounded = (degrees: number): number => Number(degrees.toFixed(DIGITS));
const westOf = (ring: number[][]): number => ring.reduce((least, [x = 0]) => Math.min(least, x), Infinity);
const moved = (ring: number[][], degrees: number): number[][] =>
  degrees === 0 || !Number.isFinite(degrees) ? ring : ring.map(([x = 0, y = 0]) => [x + degrees, y]);

/** By the even-odd rule, so that what lies in a hole is outside. */
function holds(rings: number[][][], [x = 0, y = 0]: number[]): boolean {
  let odd = false;
  for (const ring of rings)
    for (const [at, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring[(at + 1) % ring.length] ?? [];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
    }
  return odd;
}
