import { expect, test } from 'vitest';
import { halve, type Rectangle } from '#area/rectangle.ts';
import type { Piece } from './cut.ts';
import { createCutOrder, fewestIn } from './cut-order.ts';

type Named = { name: string };
const piece = (name: string, state: Piece['state'] = 'open') =>
  ({ name, state, south: 0, west: 0, north: 1, east: 1 }) as const;
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `place-${from + at}`);
const begin = (...names: string[]) => createCutOrder<Named>(names.map((name) => ({ name })));

test('a half waits until the other is finished, unless nothing else is left', () => {
  const order = begin('other area', 'whole');
  const whole = order.next();
  if (!whole) throw new Error('A cut began with nothing.');
  order.cut(whole, ids(0, 60), [piece('first'), piece('second')]);
  const second = order.next();
  expect(second?.tile.name).toBe('second');
  expect(order.next()?.tile.name).toBe('other area');
  expect(order.next()?.tile.name).toBe('first');
  expect(order.next()).toBeUndefined();
});

test('a half that is finished tells how many places the other has', () => {
  const order = begin('whole');
  const whole = order.next();
  if (!whole) throw new Error('A cut began with nothing.');
  order.cut(whole, ids(0, 60), [piece('first'), piece('second')]);
  const second = order.next();
  if (!second) throw new Error('Nothing followed a cut.');
  order.cut(second, ids(200, 260), [piece('second a'), piece('second b')]);
  for (const some of [ids(0, 15), ids(15, 30)]) {
    const part = order.next();
    if (part) order.settle(part, [...some, ...ids(100 + some.length, 190)]);
  }
  // Of the 60, 30 lie in either half; the second has 180 places.
  const first = order.next();
  expect(first?.tile.name).toBe('first');
  expect(first && fewestIn(first)).toBeCloseTo(180 * Math.exp(-Math.sqrt(2 / 30)));
});

test('what was shown of an empty half all lies in the other, and what lies outside of the area tells nothing', () => {
  const order = begin('whole');
  const whole = order.next();
  if (!whole) throw new Error('A cut began with nothing.');
  order.cut(whole, ids(0, 60), [piece('full'), piece('empty')]);
  const empty = order.next();
  if (empty) order.settle(empty, []);
  const full = order.next();
  expect(full && fewestIn(full)).toBe(60);
  if (full) order.cut(full, undefined, [piece('outside', 'outside'), piece('inside')]);
  const inside = order.next();
  expect(inside?.tile.name).toBe('inside');
  expect(inside && fewestIn(inside)).toBe(0);
});

test('an even area is cut with fewer looks, and nowhere too soon', () => {
  const most = 60;
  const side = 100;
  const places = Array.from({ length: side * side }, (_, at) => ({
    id: `place-${at}`,
    x: at % side,
    y: Math.floor(at / side),
  }));
  const inside = ({ south, west, north, east }: Rectangle) =>
    places.filter(({ x, y }) => x >= west && x < east && y >= south && y < north).map(({ id }) => id);
  // Shown in an order that has nothing to do with where they lie.
  const shown = (all: string[]) => all.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
  const rank = (id: string) => (Number(id.slice('place-'.length)) * 7_919) % 10_007;
  const order = createCutOrder<Rectangle>([{ south: 0, west: 0, north: side, east: side }]);
  let [cuts, looksAtFull] = [0, 0];
  const found: string[] = [];
  for (let part = order.next(); part; part = order.next()) {
    const [one, other] = halve(part.tile, 0) ?? [];
    const all = inside(part.tile);
    const isTold = fewestIn(part) >= most;
    if (isTold) expect(all.length).toBeGreaterThanOrEqual(most);
    if (one && other && all.length >= most) {
      cuts += 1;
      if (!isTold) looksAtFull += 1;
      order.cut(part, isTold ? undefined : shown(all), [
        { ...one, state: 'open' },
        { ...other, state: 'open' },
      ]);
    } else {
      order.settle(part, all);
      found.push(...all);
    }
  }
  expect(found.toSorted()).toEqual(places.map(({ id }) => id).toSorted());
  expect(looksAtFull).toBeLessThan(0.8 * cuts);
});
