import { expect, test } from 'vitest';
import { readOrder } from './import-places.ts';

test('reads files, an area and what a CSV file does not say', () => {
  const order = readOrder([
    '/a.csv',
    '--bbox',
    '-89.8,39.6,-89.5,39.9',
    '/b.csv',
    '--state',
    'il',
    '--source',
    'city',
    '--part',
  ]);
  expect(order).toEqual({
    files: ['/a.csv', '/b.csv'],
    bbox: { west: -89.8, south: 39.6, east: -89.5, north: 39.9 },
    state: 'IL',
    source: 'city',
    missing: 'part',
  });
});

test.each([
  [[], 'Usage'],
  [['/a', '--part', '--whole'], 'Usage'],
  [['/a', '--unknown'], 'Usage'],
  [['/a', '--bbox', '1,2,3'], 'four degrees'],
  [['/a', '--bbox', '1,5,3,4'], 'four degrees'],
  [['/a', '--source', 'overture'], 'not as one of those we know'],
])('%j is refused', (args, message) => {
  expect(() => readOrder(args)).toThrow(message);
});
