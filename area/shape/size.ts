import { EARTH_RADIUS_KM, RADIANS_PER_E7, squareKilometers } from '#area/rectangle.ts';
import { framesOf, type Polygon, type Ring, type Shape } from './shape.ts';

/** How much of the earth a shape covers, in square kilometers, with no sea between its parts. Of parts that overlap, never more than its frames. */
export function squareKilometersOf(shape: Shape): number {
  const parts = shape.reduce((sum, polygon) => sum + sizeOf(polygon), 0);
  return Math.min(
    parts,
    framesOf(shape).reduce((sum, frame) => sum + squareKilometers(frame), 0),
  );
}

const sizeOf = ([border = [], ...holes]: Polygon): number =>
  holes.reduce((left, hole) => left - ringSize(hole), ringSize(border));

function ringSize(ring: Ring): number {
  const steradians = ring.reduce((sum, [x2, y2], at) => {
    const [x1, y1] = ring.at(at - 1) ?? [x2, y2];
    return sum + (x2 - x1) * RADIANS_PER_E7 * meanSine(y1 * RADIANS_PER_E7, y2 * RADIANS_PER_E7);
  }, 0);
  return EARTH_RADIUS_KM ** 2 * Math.abs(steradians);
}

/** The mean of the sine between two latitudes, along a line that is straight in degrees. */
function meanSine(from: number, to: number): number {
  const half = (to - from) / 2;
  return Math.sin((from + to) / 2) * (half === 0 ? 1 : Math.sin(half) / half);
}
