/** What one request takes: fewer lines and characters than the server would refuse. */
const MOST_LINES = 15_000;
const MOST_CHARACTERS = 800_000;

/** A header names columns, and holds no value: no address, number or domain. */
const isHeader = (line: string): boolean => /\p{L}/u.test(line) && !/@|\d{3}|[\p{L}\d-]\.\p{L}{2}/u.test(line);

/**
 * Cuts a CSV file at ends of lines, and repeats its header in each part.
 * - `linesBefore`: what to add to a line's number in the part for its number in the file.
 */
export function partsOf(text: string): { csv: string; linesBefore: number }[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const header = isHeader(lines[0] ?? '') ? `${lines[0]}\n` : '';
  const parts: { csv: string; linesBefore: number }[] = [];
  let from = header ? 1 : 0;
  while (from < lines.length) {
    let to = from;
    let size = header.length;
    while (to < lines.length && to - from < MOST_LINES && size + (lines[to]?.length ?? 0) < MOST_CHARACTERS) {
      size += (lines[to]?.length ?? 0) + 1;
      to += 1;
    }
    // A line that is longer than a part cannot be read anyway.
    if (to === from) to += 1;
    const csv = header + lines.slice(from, to).join('\n').slice(0, MOST_CHARACTERS);
    if (csv.trim() !== '') parts.push({ csv, linesBefore: from - (header ? 1 : 0) });
    from = to;
  }
  return parts;
}
