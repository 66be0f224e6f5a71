import { decode, isBinary } from '#server/lib/decode.ts';
import { findDelimiter, type Split, splitOtherwise } from './find-delimiter.ts';
import { type OpenFile, type RawRow, UnreadableFile } from './row.ts';
import { createTokenizer } from './tokenizer.ts';

/** Characters by which delimiter and width are found. */
const HEAD = 64 * 1024;

/** What other programs write under the name of a spreadsheet. */
const OTHER_FILE = /^\s*(?:<(?:!|\?xml\b|(?:html|head|meta|style|table)\b)|%PDF-)/i;
/** Contacts of a phone, and what programs send each other. */
const NO_TABLE = /^\s*(?:BEGIN:VCARD\b|[[{]\s*(?:["{[]|\]|\}))/i;

/** Opens a text file: rows of cells, a part at a time. `encoding` is known once all is read. */
export async function openText(chunks: AsyncIterable<Uint8Array>): Promise<OpenFile> {
  const texts = decode(chunks);
  const file: OpenFile = { encoding: 'UTF-8', delimiter: ',', otherSheets: [], batches: none() };
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await texts.next();
    if (done) return undefined;
    file.encoding = value.encoding;
    return value.text;
  };
  let head = '';
  let isWhole = false;
  while (head.length < HEAD && !isWhole) {
    const text = await next();
    if (text === undefined) isWhole = true;
    else head += text;
  }
  if (OTHER_FILE.test(head))
    throw new UnreadableFile(
      'This is a web page, XML or PDF, not a table. Open it, and save its table as XLSX or CSV.',
    );
  if (NO_TABLE.test(head))
    throw new UnreadableFile('This is a vCard or JSON file, not a table. Save what it holds as XLSX or CSV.');
  if (isBinary(head)) throw new UnreadableFile('This is not a table that can be read. Save it as XLSX or CSV.');
  const split = findDelimiter(head, isWhole);
  file.delimiter = split.delimiter;
  file.batches = rowsOf(head, next, split);
  return file;
}

async function* none(): AsyncGenerator<RawRow[]> {}

async function* rowsOf(head: string, next: () => Promise<string | undefined>, split: Split): AsyncGenerator<RawRow[]> {
  const tokenizer = createTokenizer(split);
  let row = 0;
  const numbered = (cells: string[]): RawRow => {
    row += 1;
    const [only = ''] = cells;
    const otherwise = cells.length === 1 && split.columns > 1 ? splitOtherwise(only, split) : undefined;
    return { row, cells: otherwise ?? cells };
  };
  // Excel's own line that names the delimiter is not shown as a row.
  const isTold = (cells: readonly string[]): boolean => row === 0 && /^sep=.?$/i.test(cells[0] ?? '');
  const kept = (rows: string[][]): RawRow[] => rows.flatMap((cells) => (isTold(cells) ? [] : [numbered(cells)]));
  for (let text: string | undefined = head; text !== undefined; text = await next()) {
    const rows = kept(tokenizer.push(text));
    if (rows.length > 0) yield rows;
  }
  const rows = kept(tokenizer.end());
  if (rows.length > 0) yield rows;
}
