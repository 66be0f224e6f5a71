import type { RawPlace } from '#server/open-data/open-place.ts';

/** Some rows of a file. `done`: how many rows of it were read up to here. `unusable`: rows in this chunk that hold no place. */
export type Chunk = { done: number; places: RawPlace[]; unusable: number };

/** What is left out while reading. In degrees; `west` > `east` crosses the antimeridian. */
export type Frame = { west: number; south: number; east: number; north: number };

/** A file that was looked at. `read` passes over the rows before `after`. */
export type OpenFile = {
  source: string;
  /** What the file itself says of its release. */
  release: string | undefined;
  read(after: number, frame: Frame | undefined): AsyncGenerator<Chunk>;
};

/** A file cannot be loaded. The message says why and what to do. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

export const ROWS_AT_ONCE = 2_000;
