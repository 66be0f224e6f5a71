import { createTokenizer } from './tokenizer.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;
const LOOKED_AT = 200;

/** How the beginning of a file splits. `columns`: cells of most rows. */
export type Split = { delimiter: string; columns: number };

/** The delimiter by which most rows have as many cells as each other, and as the first one. */
export function findDelimiter(head: string, isWhole: boolean): Split {
  const told = /^sep=(.)\r?\n/i.exec(head)?.[1];
  const splits = CANDIDATES.map((delimiter) => ({ delimiter, ...fitOf(head, delimiter, isWhole) }));
  const best = splits.toSorted((one, other) => other.score - one.score)[0];
  if (told) return { delimiter: told, columns: fitOf(head, told, isWhole).columns };
  return best && best.score > 0 ? best : { delimiter: ',', columns: 1 };
}

function fitOf(head: string, delimiter: string, isWhole: boolean): { columns: number; score: number } {
  const tokenizer = createTokenizer({ delimiter, columns: 0 });
  const rows = [...tokenizer.push(head), ...(isWhole ? tokenizer.end() : [])]
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, LOOKED_AT);
  const counts = new Map<number, number>();
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns, hits] = [...counts].toSorted((one, other) => other[1] - one[1] || other[0] - one[0])[0] ?? [1, 0];
  if (hits === 0) return { columns: 1, score: 0 };
  const isOfFirst = rows[0]?.length === columns;
  return { columns, score: hits / rows.length + (isOfFirst ? 0.5 : 0) + Math.min(columns, 20) / 100 };
}

/** The cells of a row that was written with another delimiter than the others; undefined where none fits. */
export function splitOtherwise(cell: string, { delimiter, columns }: Split): string[] | undefined {
  for (const other of CANDIDATES) {
    if (other === delimiter || !cell.includes(other)) continue;
    const [cells] = createTokenizer({ delimiter: other, columns: 0 }).push(`${cell.replaceAll(/[\r\n]/g, ' ')}\n`);
    if (cells?.length === columns) return cells;
  }
  return undefined;
}
