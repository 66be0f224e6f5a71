import { expect, test } from 'vitest';
import { stateOf } from '#area/named/atlas.ts';
import { holderOf } from './holder.ts';
import { holds } from './holds.ts';
import type { Shape } from './shape.ts';

const square = (from: number, to: number) =>
  [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
  ] as const;

test('says of every point what a look at all lines says', () => {
  const alaska = stateOf('02')?.shape ?? [];
  const ring = Array.from({ length: 500 }, (_, at): readonly [number, number] => {
    const [turn, reach] = [(2 * Math.PI * at) / 500, at % 2 === 0 ? 9e7 : 4e7];
    return [Math.round(1_795_000_000 + reach * Math.cos(turn)), Math.round(reach * Math.sin(turn))];
  });
  const shapes: Shape[] = [
    alaska,
    [[ring]],
    [[square(0, 90_000_000), square(30_000_000, 60_000_000)], [square(50_000_000, 55_000_000)]],
  ];
  for (const shape of shapes) {
    const isIn = holderOf(shape);
    const corners = shape.flat(2).map(([longitude, latitude]) => ({ longitude, latitude }));
    const spread = (all: number[], share: number) => Math.min(...all) + share * (Math.max(...all) - Math.min(...all));
    const at = (index: number) => ({
      longitude: spread(
        corners.map((one) => one.longitude),
        ((index * 7_919) % 1_009) / 1_009,
      ),
      latitude: spread(
        corners.map((one) => one.latitude),
        ((index * 104_729) % 997) / 997,
      ),
    });
    const points = [...corners.slice(0, 100), ...Array.from({ length: 300 }, (_, index) => at(index))].map(
      ({ longitude, latitude }) => ({
        longitude: (longitude > 1_800_000_000 ? longitude - 3_600_000_000 : longitude) / 1e7,
        latitude: latitude / 1e7,
      }),
    );
    const told = points.map(isIn);
    expect(told).toEqual(points.map((point) => holds(shape, point)));
    expect(new Set(told).size).toBe(2);
  }
});
