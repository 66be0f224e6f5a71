/** Byte order mark: without it, spreadsheets read UTF-8 as the machine's old code page. */
const BOM = '\ufeff';
const CRLF = '\r\n';

const PHONE = /^\+?[\d\s().-]+$/;
/** First characters that make a spreadsheet run a cell as a formula, their full-width twins included (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u;

/** The same behind a separator: where spreadsheets split at semicolons or tabs, another cell begins there. */
const FORMULA_BEHIND_SEPARATOR = /([;\t]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** Puts an apostrophe before what a spreadsheet would run. Phone numbers stay as they are. */
export function neutralizeFormula(cell: string): string {
  if (PHONE.test(cell)) return cell;
  const inside = cell.replace(FORMULA_BEHIND_SEPARATOR, "$1'");
  return FORMULA.test(cell) ? `'${inside}` : inside;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** RFC 4180 with CRLF; formulas neutralized. What follows the header of a file that is made in parts. */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => quote(neutralizeFormula(cell))).join(',') + CRLF).join('');
}

/** The beginning of such a file: a byte order mark and the header. */
export const csvHead = (columns: readonly string[]): string => BOM + csvRows([columns]);

/** A whole file. The first row is the header. */
export const toCsv = (rows: readonly (readonly string[])[]): string => BOM + csvRows(rows);
