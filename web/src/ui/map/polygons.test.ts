import { expect, test } from 'vitest';
import { addRing, type Polygons, unwrapped, wrapped, wrappedPoint } from './polygons.ts';

const square = (west: number, south: number, side: number): number[][] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];

test('a ring drawn inside an area is a hole, and one drawn in a hole or outside a part of its own', () => {
  const whole: Polygons = [[square(-90, 40, 4)]];
  const holed = addRing(whole, square(-89, 41, 2));
  expect(holed).toEqual([[square(-90, 40, 4), square(-89, 41, 2)]]);
  expect(addRing(holed, square(-88.5, 41.5, 1))).toEqual([...holed, [square(-88.5, 41.5, 1)]]);
  expect(addRing(holed, square(-80, 41, 1))).toEqual([...holed, [square(-80, 41, 1)]]);
  expect(addRing([], square(-80, 41, 1))).toEqual([[square(-80, 41, 1)]]);
});

test('an area over the antimeridian is one piece on the map, and is cut again for others', () => {
  const aleutians: Polygons = [
    [
      [
        [178, 51],
        [-178, 51],
        [-178, 53],
        [178, 53],
        [178, 51],
      ],
      [
        [-179.5, 51.5],
        [-179, 51.5],
        [-179, 52],
        [-179.5, 51.5],
      ],
    ],
  ];
  const drawn = unwrapped(aleutians);
  expect(drawn[0]?.[0]?.map(([x]) => x)).toEqual([178, 182, 182, 178, 178]);
  expect(drawn[0]?.[1]?.map(([x]) => x)).toEqual([180.5, 181, 181, 180.5]);
  expect(wrapped(drawn)).toEqual(aleutians);
  expect(wrapped(unwrapped([[square(-90, 40, 4)]]))).toEqual([[square(-90, 40, 4)]]);
});

test('what is drawn over the antimeridian says which way it goes, however it was drawn', () => {
  const drawn = [
    [178, 51],
    [178, 53],
    [182, 53],
    [182, 51],
    [178, 51],
  ];
  expect(wrapped([[drawn]])).toEqual([
    [
      [
        [178, 51],
        [-178, 51],
        [-178, 53],
        [178, 53],
        [178, 51],
      ],
    ],
  ]);
  const wide = [
    [100, -10],
    [300, -10],
    [300, 10],
    [100, 10],
    [100, -10],
  ];
  const [[ring = []] = []] = wrapped([[wide]]);
  expect(ring).toEqual([
    [100, -10],
    [-160, -10],
    [-60, -10],
    [-60, 10],
    [-160, 10],
    [100, 10],
    [100, -10],
  ]);
  expect(unwrapped([[ring]])[0]?.[0]?.map(([x]) => x)).toEqual([100, 200, 300, 300, 200, 100, 100]);
});

test('points have six digits and lie on the earth', () => {
  expect(wrappedPoint({ latitude: 51.123456789, longitude: 182.5 })).toEqual({
    latitude: 51.123457,
    longitude: -177.5,
  });
});
