import { expect, test } from 'vitest';
import { sidesOf, toDegrees, toE7 } from '#area/rectangle.ts';
import { relate } from '#area/shape/relate.ts';
import { framesOf } from '#area/shape/shape.ts';
import { countyOf, listCounties, stateOf } from './atlas.ts';
import { circle } from './circle.ts';

const at = (latitude: number, longitude: number) => ({
  south: toE7(latitude),
  west: toE7(longitude),
  north: toE7(latitude) + 1,
  east: toE7(longitude) + 1,
});

test('Cook County holds Chicago and not Milwaukee', () => {
  const cook = countyOf('17031');
  expect(cook?.name).toBe('Cook County');
  expect(relate(at(41.8781, -87.6298), cook?.shape ?? [])).toBe('inside');
  expect(relate(at(43.0389, -87.9065), cook?.shape ?? [])).toBe('outside');
});

test.each([
  ['29189', 'St. Louis County'],
  ['29510', 'St. Louis city'],
  ['24510', 'Baltimore city'],
  ['32510', 'Carson City'],
  ['51760', 'Richmond city'],
  ['51159', 'Richmond County'],
  ['51095', 'James City County'],
  ['48503', 'Young County'],
  ['22071', 'Orleans Parish'],
  ['02020', 'Anchorage Municipality'],
  ['02110', 'Juneau City and Borough'],
  ['02122', 'Kenai Peninsula Borough'],
  ['02180', 'Nome Census Area'],
  ['09001', 'Fairfield County'],
  ['11001', 'District of Columbia'],
  ['72127', 'San Juan Municipio'],
  ['78030', 'St. Thomas'],
])('%s is called %s', (fips, name) => {
  expect(countyOf(fips)?.name).toBe(name);
});

test('no two counties of a state have one name', () => {
  const names = listCounties().map(({ fips, name }) => `${name}, ${fips.slice(0, 2)}`);
  expect(names.length).toBeGreaterThan(3_000);
  expect(new Set(names).size).toBe(names.length);
});

test('Alaska is framed on both sides of the antimeridian, and not around the earth', () => {
  const frames = framesOf(stateOf('02')?.shape ?? []).map((frame) => Object.values(frame).map(toDegrees));
  expect(frames).toEqual([
    [expect.closeTo(51.2, 0), expect.closeTo(172.4, 0), expect.closeTo(71.4, 0), 180],
    [expect.closeTo(51.2, 0), -180, expect.closeTo(71.4, 0), expect.closeTo(-130, 0)],
  ]);
});

test('a county or state that does not exist is not found', () => {
  expect(countyOf('17999')).toBeUndefined();
  expect(stateOf('03')).toBeUndefined();
});

test('a circle is as wide as it should be, in the far north, too, and over the antimeridian', () => {
  for (const latitude of [0, 41.9, 71.3]) {
    const read = circle({ latitude, longitude: -156.8 }, 10_000);
    if (read.kind === 'invalid') throw new Error(read.message);
    const [frame] = framesOf(read.shape);
    if (!frame) throw new Error('A circle has a frame.');
    const { height, width } = sidesOf(frame);
    expect(height / 20_000).toBeCloseTo(1, 1);
    expect(width / 20_000).toBeCloseTo(1, 1);
  }
  const read = circle({ latitude: 52, longitude: 179.99 }, 10_000);
  expect(read.kind === 'shape' && framesOf(read.shape)).toHaveLength(2);
  expect(circle({ latitude: 89.99, longitude: 0 }, 10_000)).toMatchObject({
    message: 'The circle goes around a pole. Choose a smaller radius.',
  });
});
