const WIDTH = 130;

/** A comment of the database as lines of SQL comment, each with its line break; nothing for none. */
export function commentLines(comment: string | null): string {
  if (!comment) return '';
  const lines: string[] = [];
  for (const word of comment.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`-- ${word}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
