/** A row of a file. `row` counts as a spreadsheet does, from 1. */
export type RawRow = { row: number; cells: string[] };

/** A file that can be read. `batches` can be read once. */
export type OpenFile = {
  encoding: string;
  /** Null for a spreadsheet. */
  delimiter: string | null;
  /** Sheets with cells of which nothing is read, the first of them. Known once all is read. */
  otherSheets: string[];
  batches: AsyncGenerator<RawRow[]>;
};

/** A file that no row can be read from. `message` may be shown to the sender. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Characters of a cell; the most that a spreadsheet holds. */
export const MOST_CELL_CHARACTERS = 32_767;
