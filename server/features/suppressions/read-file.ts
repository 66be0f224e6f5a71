import papaparse from 'papaparse';
import { SUPPRESSION_KINDS, type SuppressionKind } from '#contract/calling/suppressions.ts';

/** What a line of a file names. Lines count from 1. */
export type FileEntry = { line: number; kind: SuppressionKind | undefined; value: string; note: string | undefined };

/** What a column holds, by its header in lower case. */
const COLUMNS: Readonly<Record<string, SuppressionKind | 'kind' | 'value' | 'note' | undefined>> = {
  phone: 'phone',
  'phone number': 'phone',
  number: 'phone',
  email: 'email',
  'email address': 'email',
  domain: 'domain',
  business: 'business',
  place_id: 'business',
  'place id': 'business',
  company: 'company',
  'company name': 'company',
  kind: 'kind',
  type: 'kind',
  value: 'value',
  note: 'note',
  reason: 'note',
};

/** Reads the lines of a CSV file, with a header or without. Undefined where there are more than `mostLines`. */
export function readFile(csv: string, mostLines: number): FileEntry[] | undefined {
  const { data } = papaparse.parse<string[]>(csv.replace(/^\ufeff/, ''), { preview: mostLines + 1 });
  if (data.length > mostLines) return undefined;
  const [first = []] = data;
  const columns = first.map((cell) => COLUMNS[cell.trim().toLowerCase()]);
  const hasHeader = columns.some((column) => column !== undefined);
  return data.flatMap((cells, at) => {
    const line = at + 1;
    if (!hasHeader) return entryOf(line, cells[0], undefined, cells[1]);
    if (at === 0) return [];
    const cellOf = (name: (typeof columns)[number]) => cells[columns.indexOf(name)];
    const note = cellOf('note');
    const named = SUPPRESSION_KINDS.find((kind) => kind === cellOf('kind')?.trim().toLowerCase());
    return [
      ...SUPPRESSION_KINDS.flatMap((kind) => entryOf(line, cellOf(kind), kind, note)),
      ...entryOf(line, cellOf('value'), named, note),
    ];
  });
}

function entryOf(
  line: number,
  cell: string | undefined,
  kind: SuppressionKind | undefined,
  note: string | undefined,
): FileEntry[] {
  const value = cell?.trim().slice(0, 320);
  if (!value) return [];
  return [{ line, kind: kind ?? kindOf(value), value, note: note?.trim().slice(0, 500) || undefined }];
}

/** What a value looks like. */
function kindOf(value: string): SuppressionKind | undefined {
  if (value.includes('@')) return 'email';
  if (/^(tel:)?[+\d\s().-]{7,}((ext|extension|x|#)[\s.:]*\d{1,7})?$/i.test(value)) return 'phone';
  if (/^[\w-]+(\.[\w-]+)+$/.test(value)) return 'domain';
  return undefined;
}
