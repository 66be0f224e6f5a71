/** Four integers; south and west belong to it, north and east do not. Written here again, so that the proof stands alone. */
type Tile = { south: number; west: number; north: number; east: number };

/** What the proof found. `broken` says in words what does not hold, with the first tile that shows it. */
export type PartitionProof = { kind: 'exact'; tiles: number; area: string } | { kind: 'broken'; why: string };

/**
 * Proves that tiles cover given frames exactly: every point of a frame lies in one tile, and no tile lies outside.
 * - By whole numbers alone: no two tiles overlap, each lies in a frame, and their areas add up to that of the frames.
 * - `area`: in square units of 1e-14 degrees, as a decimal text, because it does not fit a number.
 */
export function checkPartition(frames: readonly Tile[], tiles: readonly Tile[]): PartitionProof {
  for (const tile of [...frames, ...tiles]) {
    if (![tile.south, tile.west, tile.north, tile.east].every(Number.isSafeInteger))
      return broken('is not in whole numbers', tile);
    if (tile.south >= tile.north || tile.west >= tile.east) return broken('is empty', tile);
  }
  const double = overlapping(frames);
  if (double) return broken('overlaps another frame', double);
  const outside = tiles.find((tile) => !frames.some((frame) => contains(frame, tile)));
  if (outside) return broken('lies outside of the area', outside);
  const twice = overlapping(tiles);
  if (twice) return broken('overlaps another tile', twice);
  const [asked, covered] = [sumOfAreas(frames), sumOfAreas(tiles)];
  if (asked !== covered) return { kind: 'broken', why: `The tiles cover ${covered} of ${asked} square units.` };
  return { kind: 'exact', tiles: tiles.length, area: String(covered) };
}

const broken = (fault: string, { south, west, north, east }: Tile): PartitionProof => ({
  kind: 'broken',
  why: `The tile (${south}, ${west}, ${north}, ${east}) ${fault}.`,
});

const contains = (frame: Tile, tile: Tile): boolean =>
  frame.south <= tile.south && tile.north <= frame.north && frame.west <= tile.west && tile.east <= frame.east;

const sumOfAreas = (tiles: readonly Tile[]): bigint =>
  tiles.reduce((sum, { south, west, north, east }) => sum + BigInt(north - south) * BigInt(east - west), 0n);

/**
 * Moves a line from south to north over the tiles, and keeps those that it crosses in order from west to east.
 * Returns the first tile that meets another one there.
 */
function overlapping(tiles: readonly Tile[]): Tile | undefined {
  const crossed: Tile[] = [];
  const beginnings = tiles.toSorted((one, other) => one.south - other.south);
  const ends = tiles.toSorted((one, other) => one.north - other.north);
  let ended = 0;
  for (const tile of beginnings) {
    // Half open: what ends at this line is not crossed by it.
    for (let gone = ends[ended]; gone && gone.north <= tile.south; gone = ends[++ended])
      crossed.splice(placeOf(crossed, gone.west), 1);
    const at = placeOf(crossed, tile.west);
    const [before, after] = [crossed[at - 1], crossed[at]];
    if ((before && before.east > tile.west) || (after && after.west < tile.east)) return tile;
    crossed.splice(at, 0, tile);
  }
  return undefined;
}

/** Where the first tile that begins at `west` or further east stands. */
function placeOf(sorted: readonly Tile[], west: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.west ?? west) < west) low = middle + 1;
    else high = middle;
  }
  return low;
}
