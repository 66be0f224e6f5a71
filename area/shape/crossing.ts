import { orient2d } from 'robust-predicates';
import type { Ring } from './shape.ts';

type Point = Ring[number];
type Edge = { ring: number; at: number; from: Point; to: Point; west: number; east: number };

/**
 * Finds where lines cross: those of one ring with each other, or those of two rings.
 * - Lines that only touch at a point do not cross; lines that lie on each other do.
 * - Returns a point nearby, or undefined.
 */
export function crossingOf(rings: readonly [Ring] | readonly [Ring, Ring]): Point | undefined {
  const edges = rings.flatMap((ring, index) =>
    ring.map((from, at): Edge => {
      const to = ring[(at + 1) % ring.length] ?? from;
      return { ring: index, at, from, to, west: Math.min(from[0], to[0]), east: Math.max(from[0], to[0]) };
    }),
  );
  edges.sort((one, other) => one.west - other.west);
  let open: Edge[] = [];
  for (const edge of edges) {
    open = open.filter(({ east }) => east >= edge.west);
    for (const other of open)
      if ((rings.length === 1 || other.ring !== edge.ring) && cross(edge, other)) return edge.from;
    open.push(edge);
  }
  return undefined;
}

function cross({ from: a, to: b }: Edge, { from: c, to: d }: Edge): boolean {
  const [low, high] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  if (Math.max(c[1], d[1]) < low || Math.min(c[1], d[1]) > high) return false;
  const [c1, d1] = [sideOf(a, b, c), sideOf(a, b, d)];
  const [a2, b2] = [sideOf(c, d, a), sideOf(c, d, b)];
  if (c1 === 0 && d1 === 0) return shareLength(a, b, c, d);
  return c1 * d1 < 0 && a2 * b2 < 0;
}

const sideOf = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  Math.sign(orient2d(ax, ay, bx, by, cx, cy));

/** Whether two lines of the same direction have more than a point in common. */
function shareLength(a: Point, b: Point, c: Point, d: Point): boolean {
  const axis = Math.abs(a[0] - b[0]) >= Math.abs(a[1] - b[1]) ? 0 : 1;
  const [low, high] = [Math.min(a[axis], b[axis]), Math.max(a[axis], b[axis])];
  const [from, to] = [Math.min(c[axis], d[axis]), Math.max(c[axis], d[axis])];
  return Math.min(high, to) > Math.max(low, from);
}
