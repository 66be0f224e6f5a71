import { orient2d } from 'robust-predicates';
import type { Ring } from './shape.ts';
import { createStatus } from './status.ts';

type Point = Ring[number];
/** A line of a ring, from its western end to its eastern one; an upright line goes north. */
type Edge = { ring: number; from: Point; to: Point };

/** Where lines cross, and whose they are: one ring twice, or two, the earlier first. */
export type Crossing = { rings: readonly [number, number]; near: Point };

/**
 * Finds where lines of rings cross, by a line that sweeps over them from west to east.
 * - Only neighbors along that line are compared, so 10,000 lines take some ten thousand steps, whatever their shape.
 * - Lines that only touch at a point do not cross; lines that lie on each other do.
 * - Returns the first crossing that it comes upon, or undefined.
 */
export function crossingOf(rings: readonly Ring[]): Crossing | undefined {
  const edges = rings.flatMap((ring, index) => ring.map((point, at) => edgeOf(index, point, ring[at + 1] ?? ring[0])));
  const ends = edges.flatMap((edge, id) => [
    { id, at: edge.from, begins: true },
    { id, at: edge.to, begins: false },
  ]);
  // Where one line ends and the next begins, the first is gone before the second comes.
  ends.sort((one, other) => compare(one.at, other.at) || Number(one.begins) - Number(other.begins));
  const open = createStatus(edges.length);
  const crossed = (one: number, other: number): Crossing | undefined => {
    const [a, b] = [edges[one], edges[other]];
    if (!a || !b || !cross(a, b)) return undefined;
    return { rings: a.ring < b.ring ? [a.ring, b.ring] : [b.ring, a.ring], near: meetingOf(a, b) };
  };
  for (const { id, begins } of ends) {
    const edge = edges[id];
    if (!edge) continue;
    const place = open.find((other) => {
      const line = edges[other];
      if (!line || other === id) return 0;
      return begins
        ? sideOf(line, edge.from) || sideOf(line, edge.to)
        : sideOf(line, edge.to) || sideOf(line, edge.from);
    });
    if (begins) open.insert(place, id);
    const found = begins
      ? (crossed(open.at(place - 1), id) ?? crossed(id, open.at(place + 1)))
      : crossed(open.at(place - 1), open.at(place + 1));
    if (found) return found;
    if (!begins) open.remove(place);
  }
  return undefined;
}

const compare = ([x1, y1]: Point, [x2, y2]: Point): number => x1 - x2 || y1 - y2;

function edgeOf(ring: number, one: Point, other: Point = one): Edge {
  return compare(one, other) < 0 ? { ring, from: one, to: other } : { ring, from: other, to: one };
}

function cross({ from: a, to: b }: Edge, { from: c, to: d }: Edge): boolean {
  const [c1, d1] = [side(a, b, c), side(a, b, d)];
  const [a2, b2] = [side(c, d, a), side(c, d, b)];
  if (c1 === 0 && d1 === 0) return shareLength(a, b, c, d);
  return c1 * d1 < 0 && a2 * b2 < 0;
}

/** Where two lines cross, or begin to lie on each other. */
function meetingOf({ from: a, to: b }: Edge, { from: c, to: d }: Edge): Point {
  const [from, to] = [orient2d(...c, ...d, ...a), orient2d(...c, ...d, ...b)];
  if (from === to) return compare(a, c) > 0 ? a : c;
  const share = from / (from - to);
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
}

/** Above zero where a point lies north of a line, or west of an upright one. */
const sideOf = ({ from, to }: Edge, point: Point): number => side(from, to, point);

/** The predicate counts clockwise as positive. */
const side = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  -Math.sign(orient2d(ax, ay, bx, by, cx, cy));

/** Whether two lines of the same direction have more than a point in common. */
function shareLength(a: Point, b: Point, c: Point, d: Point): boolean {
  const axis = Math.abs(a[0] - b[0]) >= Math.abs(a[1] - b[1]) ? 0 : 1;
  const [low, high] = [Math.min(a[axis], b[axis]), Math.max(a[axis], b[axis])];
  const [from, to] = [Math.min(c[axis], d[axis]), Math.max(c[axis], d[axis])];
  return Math.min(high, to) > Math.max(low, from);
}
