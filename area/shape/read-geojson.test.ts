import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Rectangle, toE7 } from '#area/rectangle.ts';
import { type GeoJsonArea, readGeoJson } from './read-geojson.ts';
import { relate } from './relate.ts';
import { framesOf, type Shape } from './shape.ts';

const square = (west: number, south: number, side: number) => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
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
    'The outer ring crosses itself near ',
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

test('an area of 100,000 points is refused at once', () => {
  const circle = Array.from({ length: 100_000 }, (_, at) => [Math.cos(at / 20_000), Math.sin(at / 20_000)]);
  expect(readGeoJson(polygon([...circle, circle[0] ?? []]))).toMatchObject({
    message: expect.stringContaining('The area has 100,001 points. The most is 10,000'),
  });
});

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
