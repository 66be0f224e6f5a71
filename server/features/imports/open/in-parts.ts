import { type RawRow, UnreadableFile } from '#server/features/imports/read/row.ts';

/** Characters of a part, and of a whole file: a spreadsheet can say much with few bytes. */
const PART_CHARACTERS = 4_000_000;
const MOST_CHARACTERS = 400_000_000;

/**
 * Puts batches together to parts of `rows` rows, or of as many characters as are written at once.
 * @throws UnreadableFile for more text than can be read
 */
export async function* inParts(batches: AsyncIterable<RawRow[]>, rows: number): AsyncGenerator<RawRow[]> {
  let waiting: RawRow[] = [];
  let characters = 0;
  let total = 0;
  for await (const batch of batches)
    for (const row of batch) {
      waiting.push(row);
      const length = row.cells.reduce((sum, cell) => sum + cell.length, 0);
      characters += length;
      total += length;
      if (total > MOST_CHARACTERS)
        throw new UnreadableFile('The file holds more text than can be read. Import it in parts.');
      if (waiting.length < rows && characters < PART_CHARACTERS) continue;
      yield waiting;
      waiting = [];
      characters = 0;
    }
  if (waiting.length > 0) yield waiting;
}
