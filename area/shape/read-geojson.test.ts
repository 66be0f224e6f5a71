import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Rectangle, squareKilometers, toE7 } from '#area/rectangle.ts';
import { crossingOf } from './crossing.ts';
import { type GeoJsonArea, readGeoJson } from './read-geojson.ts';
import { relate } from './relate.ts';
import { framesOf, type Ring, type Shape } from './shape.ts';
import { squareKilometersOf } from './size.ts';

const square = (west: number, south: number, side: number) => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const WORLD = [
  [-180, -80],
  [180, -80],
  [180, 80],
  [-180, 80],
  [-180, -80],
];
const polygon = (...coordinates: number[][][]): GeoJsonArea => ({ type: 'Polygon', coordinates });
const shapeOf = (area: GeoJsonArea): Shape => {
  const read = readGeoJson(area);
  if (read.kind === 'invalid') throw new Error(read.message);
  return read.shape;
};
const rectangle = (west: number, south: number, side: number): Rectangle => ({
  south: toE7(south),
  west: toE7(west),
  north: toE7(south + side),
  east: toE7(west + side),
});

test.each([
  [polygon(), 'The area is empty. Draw or paste at least one polygon.'],
  [
    polygon([
      [0, 0],
      [1, 1],
      [0, 0],
    ]),
    'The outer ring has fewer than four points.',
  ],
  [
    polygon([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]),
    'The outer ring is not closed. Repeat its first point at its end.',
  ],
  [
    polygon([
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 0],
    ]),
    'The outer ring encloses no area.',
  ],
  [
    polygon([
      [0, 0],
      [4, 4],
      [4, 0],
      [0, 4],
      [0, 0],
    ]),
    'The outer ring crosses itself near 2.00000, 2.00000.',
  ],
  [
    polygon([
      [-179, -80],
      [179, -80],
      [179, 80],
      [-179, 80],
      [-179, -80],
    ]),
    'The outer ring has an edge of more than 180 degrees of longitude, after point 1.',
  ],
  [
    { type: 'MultiPolygon', coordinates: [[square(0, 0, 1)], [WORLD]] },
    'The outer ring of polygon 2 has an edge of more than 180 degrees of longitude, after point 1.',
  ],
  [
    polygon([
      [0, 0],
      [0, 100],
      [1, 100],
      [0, 0],
    ]),
    'The outer ring leaves the earth at point 2 (0, 100).',
  ],
  [
    polygon([
      [-120, 80],
      [0, 80],
      [120, 80],
      [-120, 80],
    ]),
    'The outer ring goes around a pole.',
  ],
  [polygon(square(0, 0, 10), square(20, 20, 1)), 'Hole 1 lies outside of the outer ring.'],
  [polygon(square(0, 0, 10), square(1, 1, 2), square(9, 9, 3)), 'Hole 2 crosses the outer ring.'],
  [polygon(square(0, 0, 10), square(1, 1, 3), square(2, 2, 3)), 'Hole 2 crosses hole 1. Join them into one.'],
  [
    { type: 'MultiPolygon', coordinates: [[square(0, 0, 1)], [square(5, 5, 1), square(5, 5, 9)]] },
    'Hole 1 of polygon 2 ',
  ],
] satisfies [GeoJsonArea, string][])('an invalid area %# is refused, and the ring is named', (area, start) => {
  expect(readGeoJson(area)).toEqual({ kind: 'invalid', message: expect.stringContaining(start) });
});

const MOST = { points: 10_000, rings: 500 };

test('an area of 100,000 points is refused at once', () => {
  const circle = Array.from({ length: 100_000 }, (_, at) => [Math.cos(at / 20_000), Math.sin(at / 20_000)]);
  expect(readGeoJson(polygon([...circle, circle[0] ?? []]), MOST)).toMatchObject({
    message: expect.stringContaining('The area has 100,001 points. The most is 10,000'),
  });
});

test('an area of many holes is refused at once', () => {
  const holes = Array.from({ length: 500 }, (_, at) => square((at % 40) / 4, Math.floor(at / 40) / 4, 0.1));
  expect(readGeoJson(polygon(square(-1, -1, 20), ...holes), MOST)).toEqual({
    kind: 'invalid',
    message: 'The area has 501 parts and holes. The most is 500: leave out the smallest, then try again.',
  });
  expect(readGeoJson(polygon(square(-1, -1, 20), ...holes.slice(1)), MOST)).toMatchObject({ kind: 'shape' });
});

/** Teeth whose long sides lie beside each other, in any direction: what a comparison of all lines takes longest for. */
function comb(teeth: number, turn: number): number[][] {
  const points = Array.from({ length: teeth }, (_, at) => [
    [at / teeth, 0.1],
    [(at + 0.5) / teeth, 1],
  ]).flat();
  const ring = [...points, [1, 0.1], [1, 0], [0, 0]].map(([x = 0, y = 0]) => [
    20 * (x * Math.cos(turn) - y * Math.sin(turn)),
    20 * (x * Math.sin(turn) + y * Math.cos(turn)),
  ]);
  return [...ring, ...ring.slice(0, 1)];
}

test.each([0, 0.7, Math.PI / 2, 4])(
  'the number of comparisons grows hardly faster than the points (turned by %s)',
  (turn) => {
    const comparisons = (teeth: number) => {
      let reads = 0;
      // Each comparison of two lines reads their points: this counts steps, and no time.
      const ring = comb(teeth, turn).map(([x = 0, y = 0]): Ring[number] => {
        const point: Ring[number] = [Math.round(x * 1e7), Math.round(y * 1e7)];
        return new Proxy(point, {
          get(of, key) {
            reads += 1;
            return Reflect.get(of, key);
          },
        });
      });
      expect(crossingOf([ring.slice(0, -1)])).toBeUndefined();
      return reads;
    };
    expect(comparisons(2_000) / comparisons(500)).toBeLessThan(8);
  },
);

test('the sweep finds a crossing exactly where comparing all lines does', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
  const ring = fc
    .array(point, { minLength: 3, maxLength: 7 })
    .map((points) => points.filter(([x, y], at) => x !== points.at(at - 1)?.[0] || y !== points.at(at - 1)?.[1]));
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
      const whole = rings.filter(({ length }) => length >= 3);
      expect(crossingOf(whole) !== undefined).toBe(anyCross(whole));
    }),
    { numRuns: 3_000 },
  );
});

/** By points in small whole numbers: two lines cross inside of both, or have more than a point in common. */
function anyCross(rings: readonly Ring[]): boolean {
  const lines = rings.flatMap((ring) => ring.map((from, at) => [from, ring[(at + 1) % ring.length] ?? from] as const));
  const area = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return lines.some(([a, b], at) =>
    lines.slice(at + 1).some(([c, d]) => {
      if (area(a, b, c) === 0 && area(a, b, d) === 0) {
        const along = ([x, y]: Point) => (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]);
        const [from, to] = [Math.min(along(c), along(d)), Math.max(along(c), along(d))];
        return Math.min(to, along(b)) > Math.max(from, 0);
      }
      return area(a, b, c) * area(a, b, d) < 0 && area(c, d, a) * area(c, d, b) < 0;
    }),
  );
}

test('a hole is outside, its rim crosses, and the rest is inside', () => {
  const shape = shapeOf(polygon(square(0, 0, 10), square(4, 4, 2)));
  expect(relate(rectangle(1, 1, 1), shape)).toBe('inside');
  expect(relate(rectangle(4.5, 4.5, 1), shape)).toBe('outside');
  expect(relate(rectangle(3.5, 4.5, 1), shape)).toBe('crosses');
  expect(relate(rectangle(11, 0, 1), shape)).toBe('outside');
  expect(relate(rectangle(10, 0, 1), shape)).toBe('crosses');
});

test('an area over the antimeridian has two frames, and both sides of it are inside', () => {
  const shape = shapeOf(
    polygon([
      [178, 51],
      [-178, 51],
      [-178, 53],
      [178, 53],
      [178, 51],
    ]),
  );
  expect(framesOf(shape)).toEqual([
    { south: toE7(51), west: toE7(178), north: toE7(53), east: toE7(180) },
    { south: toE7(51), west: toE7(-180), north: toE7(53), east: toE7(-178) },
  ]);
  expect(relate(rectangle(179, 52, 0.5), shape)).toBe('inside');
  expect(relate(rectangle(-179, 52, 0.5), shape)).toBe('inside');
  expect(relate(rectangle(0, 52, 0.5), shape)).toBe('outside');
});

test('an area of nearly all longitudes is read in steps of less than half a turn', () => {
  const shape = shapeOf(
    polygon(
      [-179, -60, 60, 179]
        .map((x) => [x, -80])
        .concat([179, 60, -60, -179, -179].map((x, at) => [x, at === 4 ? -80 : 80])),
    ),
  );
  expect(framesOf(shape)).toEqual([{ south: toE7(-80), west: toE7(-179), north: toE7(80), east: toE7(179) }]);
  expect(squareKilometersOf(shape) / 500_000_000).toBeCloseTo(1, 1);
});

test('the size of a shape is that of its parts less their holes, as on a globe', () => {
  const frames = (shape: Shape) => framesOf(shape).reduce((sum, frame) => sum + squareKilometers(frame), 0);
  const whole = shapeOf(polygon(square(0, 50, 10)));
  expect(squareKilometersOf(whole) / frames(whole)).toBeCloseTo(1, 9);
  const half = shapeOf(
    polygon([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ]),
  );
  expect(squareKilometersOf(half) / frames(half)).toBeCloseTo(0.5, 3);
  const holed = shapeOf(polygon(square(0, 0, 10), square(1, 1, 5)));
  expect(squareKilometersOf(holed) / squareKilometersOf(shapeOf(polygon(square(0, 0, 10))))).toBeCloseTo(0.75, 2);
  const apart = shapeOf({ type: 'MultiPolygon', coordinates: [[square(-150, 60, 1)], [square(-80, 20, 1)]] });
  expect(squareKilometersOf(apart)).toBeLessThan(20_000);
  expect(frames(apart)).toBeGreaterThan(20_000_000);
});

test('a rectangle is outside only when no point of it lies in the area', () => {
  const corner = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }));
  fc.assert(
    fc.property(corner, corner, corner, corner, fc.integer({ min: 1, max: 20 }), (a, b, c, [x, y], side) => {
      const read = readGeoJson(polygon([[...a], [...b], [...c], [...a]]));
      if (read.kind === 'invalid') return true;
      const relation = relate(rectangle(x, y, side), read.shape);
      const grid = Array.from({ length: 9 }, (_, at) => (side * (at + 0.5)) / 9);
      const inside = grid.flatMap((right) => grid.map((up) => inTriangle([x + right, y + up], [a, b, c])));
      if (relation === 'outside') return inside.every((one) => !one);
      return relation === 'crosses' || inside.every((one) => one);
    }),
  );
});

type Point = readonly [number, number];

/** Written in another way than the code: by the signs of three areas. */
function inTriangle(point: Point, [a, b, c]: readonly [Point, Point, Point]): boolean {
  const side = (from: Point, to: Point) =>
    Math.sign((to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]));
  const sides = [side(a, b), side(b, c), side(c, a)];
  return sides.every((one) => one >= 0) || sides.every((one) => one <= 0);
}
