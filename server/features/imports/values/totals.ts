import { textOf } from './tidy.ts';

const AMOUNT = String.raw`[$€£]?\s?-?\d[\d,.]*\s?%?`;
const ONLY_AMOUNT = new RegExp(`^${AMOUNT}$`);
const LABEL = new RegExp(
  `^(?:(?:grand |sub[ -]?)?totals?|sum|count|average)(?: (?:rows|records|leads|count))?:?(?:\\s(${AMOUNT}))?$`,
  'i',
);

export const NO_BUSINESS = 'This is a row of totals, not a business. It is left out.';

/**
 * Where a row of totals says so, as a spreadsheet puts one below a table: from 0; undefined for any other row. Beside it stand amounts
 * alone. The sum of a column of phone numbers may look like the number of someone.
 */
export function totalsAt(cells: readonly string[]): number | undefined {
  const isWords = (cell: string) => !ONLY_AMOUNT.test(textOf(cell)) && textOf(cell) !== '';
  const at = cells.findIndex(isWords);
  const [isLabel, amount] = LABEL.exec(textOf(cells[at] ?? '')) ?? [];
  if (isLabel === undefined || cells.slice(at + 1).some(isWords)) return undefined;
  const isBesideAmounts = cells.some((cell, other) => other !== at && textOf(cell) !== '');
  return amount !== undefined || isBesideAmounts ? at : undefined;
}
