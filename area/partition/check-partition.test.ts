import fc from 'fast-check';
import { expect, test } from 'vitest';
import { halve, type Rectangle } from '#area/rectangle.ts';
import { checkPartition } from './check-partition.ts';

const frame: Rectangle = { south: 416_000_000, west: -880_000_000, north: 421_000_000, east: -874_000_000 };

/** Cuts at random, as a survey does. */
const cuts = fc.array(fc.nat(), { maxLength: 60 }).map((choices) => {
  const tiles: Rectangle[] = [frame];
  for (const choice of choices) {
    const [tile] = tiles.splice(choice % tiles.length, 1);
    if (tile) tiles.push(...(halve(tile, 60) ?? [tile]));
  }
  return tiles;
});

test('whatever is halved covers its frame exactly', () => {
  fc.assert(fc.property(cuts, (tiles) => checkPartition([frame], tiles).kind === 'exact'));
});

test('a tile that is missing, doubled, moved, or outside is found', () => {
  fc.assert(
    fc.property(cuts, fc.nat(), fc.constantFrom('missing', 'doubled', 'moved', 'outside'), (tiles, choice, fault) => {
      const at = choice % tiles.length;
      const tile = tiles[at];
      if (!tile) return false;
      const { south, west, north, east } = tile;
      const faulty = {
        missing: tiles.toSpliced(at, 1),
        doubled: [...tiles, tile],
        moved: tiles.toSpliced(at, 1, { south: south + 1, west, north: north + 1, east }),
        outside: [...tiles, { south: north, west: frame.east, north: north + 1, east: east + frame.east }],
      }[fault];
      return checkPartition([frame], faulty).kind === 'broken';
    }),
  );
});

test('says what is wrong, with the tile', () => {
  const [low, high] = halve(frame, 60) ?? [];
  if (!low || !high) throw new Error('The frame can be cut.');
  expect(checkPartition([frame], [low])).toEqual({
    kind: 'broken',
    why: 'The tiles cover 15000000000000 of 30000000000000 square units.',
  });
  expect(checkPartition([frame], [low, frame])).toMatchObject({
    why: expect.stringContaining('overlaps another tile'),
  });
  expect(checkPartition([low], [high])).toMatchObject({ why: expect.stringContaining('lies outside of the area') });
  expect(checkPartition([frame], [{ ...frame, south: 416_000_000.5 }])).toMatchObject({
    why: expect.stringContaining('is not in whole numbers'),
  });
});
