import type { Import, ImportFile } from '#contract/imports/imports.ts';
import { isOfLeave, isOfNoCalls } from '#contract/imports/no-calls.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import type { Tone } from '#web/ui/feedback/tone.ts';

export const isUnderWay = ({ state }: Pick<Import, 'state'>): boolean => state === 'waiting' || state === 'running';

export const STATE_WORDS: Readonly<Record<Import['state'], { label: string; tone: Tone }>> = {
  reading: { label: 'Reading', tone: 'info' },
  ready: { label: 'Not started', tone: 'neutral' },
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Importing', tone: 'info' },
  completed: { label: 'Imported', tone: 'success' },
  canceled: { label: 'Canceled', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
  undone: { label: 'Undone', tone: 'neutral' },
};

/** What became of the rows, in one line. */
export function outcomeText({ state, rows, done, added, updated, skipped, errors }: Import): string {
  if (state === 'ready') return plural(rows, 'row');
  if (state === 'waiting' || state === 'running') return `${formatCount(done)} of ${plural(rows, 'row')}`;
  return [
    `${formatCount(added)} added`,
    ...(updated > 0 ? [`${formatCount(updated)} filled`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(errors > 0 ? [`${plural(errors, 'row')} with problems`] : []),
  ].join(' · ');
}

/** Sheets that are named; the others are counted. */
const NAMED_SHEETS = 10;
/** A name in another direction leaves the words around it as they are. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Names sheets of a spreadsheet: “Boston”, “Chicago” and 3 more. */
export function sheetNames(sheets: readonly string[]): string {
  const named = sheets.slice(0, NAMED_SHEETS).map((name) => `“${isolated(name)}”`);
  const more = sheets.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${formatCount(more)} more` : '');
}

/** Which sheets of a spreadsheet were left out. */
export const notReadText = (sheets: readonly string[]): string =>
  `Not read: the ${sheets.length === 1 ? 'sheet' : 'sheets'} ${sheetNames(sheets)}`;

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** How a file was read: "9 columns · UTF-8 · commas · with a header". */
export const formatText = ({ columns, encoding, delimiter, hasHeader }: ImportFile): string =>
  [
    plural(columns.length, 'column'),
    encoding,
    ...(delimiter === null ? [] : [DELIMITERS[delimiter] ?? `split at ${delimiter}`]),
    hasHeader ? 'with a header' : 'without a header',
  ].join(' · ');

/** What a list of a file is called at first: the file's name without its ending. */
export const listNameOf = (name: string): string => name.replace(/\.(?:csv|tsv|txt|xlsx)$/i, '').trim() || 'My file';

/** The type to send a file with: browsers know none for some of them. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  if (/\.xlsx$/i.test(name)) return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  if (/\.tsv$/i.test(name)) return 'text/tab-separated-values';
  return /\.(?:csv|txt)$/i.test(name) ? 'text/csv' : type || 'application/octet-stream';
}

const OPT_OUT =
  /\b(?:do ?n[o']?t ?(?:allow|call|contact|e ?mail|mail|phone|text|solicit)|dn[cdm]|opt(?:ed)? ?out|unsubscribed?|suppress(?:ed|ion)?|black ?list(?:ed)?|litigators?|consent(?:s|ed)?|(?:ok(?:ay)?|permission|allowed) to call|(?:can|may) call|calls? (?:ok|allowed|permission)|callable)\b/i;

/**
 * Headers of columns that seem to say who must not be contacted, or who may be called.
 * - `heeded`: those that keep leads from being called, unless they clearly say no.
 * - `leave`: those that do so where they clearly say no.
 */
export function optOutColumns({ columns, mapping }: Pick<ImportFile, 'columns' | 'mapping'>): {
  heeded: string[];
  leave: string[];
  others: string[];
} {
  const headers = columns.map(({ header }) => header);
  const kept = headers.filter((header) => (mapping[header] ?? 'extra') === 'extra');
  const heeded = kept.filter(isOfNoCalls);
  const leave = kept.filter(isOfLeave);
  return {
    heeded,
    leave,
    others: headers.filter(
      (header) => !heeded.includes(header) && !leave.includes(header) && OPT_OUT.test(inWords(header)),
    ),
  };
}

const inWords = (header: string): string =>
  header.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[^\p{L}\d']+/gu, ' ');
