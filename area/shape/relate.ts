import { orient2d } from 'robust-predicates';
import type { Rectangle } from '#area/rectangle.ts';
import { FULL_TURN, type Ring, type Shape, surrounds } from './shape.ts';

/** How a rectangle lies to a shape. What only touches the border `crosses` it: such a rectangle is searched, never left out. */
export type Relation = 'outside' | 'inside' | 'crosses';

export function relate(rectangle: Rectangle, shape: Shape): Relation {
  const { west, east } = rectangle;
  const again = { ...rectangle, west: west + FULL_TURN, east: east + FULL_TURN };
  const here = relateAt(rectangle, shape);
  return here === 'outside' ? relateAt(again, shape) : here;
}

/** Whether a rectangle lies in a shape as a whole. Its edges may touch the border. */
export const liesIn = ({ south, west, north, east }: Rectangle, shape: Shape): boolean =>
  relate({ south: south + 1, west: west + 1, north: north - 1, east: east - 1 }, shape) === 'inside';

function relateAt(rectangle: Rectangle, shape: Shape): Relation {
  if (shape.some((polygon) => polygon.some((ring) => crosses(rectangle, ring)))) return 'crosses';
  // No line goes through it, so one point speaks for all.
  const inside = shape.some((polygon) =>
    polygon.reduce((odd, ring) => odd !== surrounds(ring, rectangle.west, rectangle.south), false),
  );
  return inside ? 'inside' : 'outside';
}

function crosses(rectangle: Rectangle, ring: Ring): boolean {
  let before = ring.at(-1);
  for (const point of ring) {
    if (before && segmentMeets(rectangle, before, point)) return true;
    before = point;
  }
  return false;
}

type Point = Ring[number];

/** Whether a line meets a rectangle, be it at its edge. */
export function segmentMeets({ south, west, north, east }: Rectangle, [x1, y1]: Point, [x2, y2]: Point): boolean {
  if (Math.max(x1, x2) < west || Math.min(x1, x2) > east) return false;
  if (Math.max(y1, y2) < south || Math.min(y1, y2) > north) return false;
  // The boxes meet; the line misses the rectangle only when all four corners lie on one side of it.
  const side = (x: number, y: number) => orient2d(x1, y1, x2, y2, x, y);
  const sides = [side(west, south), side(west, north), side(east, south), side(east, north)];
  return !(sides.every((one) => one > 0) || sides.every((one) => one < 0));
}
