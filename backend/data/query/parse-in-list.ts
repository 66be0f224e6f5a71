import { unparsable } from '#backend/data/errors/data-error.ts';

/**
 * The values of `in.(a,"b, c",d)`. A quoted value ends at its closing quote and escapes with `\`; text that only
 * begins like one ("a"b) is taken as it stands, as PostgREST does. `()` is the empty list.
 * @throws DataError PGRST100
 */
export function parseInList(text: string): string[] {
  const { values, end } = readInList(text, 0);
  if (end < text.length) throw unparsable('filter', `in.${text}`, 'unexpected text after ")"');
  return values;
}

/**
 * Reads the list that begins at `start` of a text; `end` is where it is over.
 * @throws DataError PGRST100
 */
export function readInList(text: string, start: number): { values: string[]; end: number } {
  const fail = (details: string) => unparsable('filter', `in.${text.slice(start)}`, details);
  if (text[start] !== '(') throw fail('expecting "(" after in.');
  if (text[start + 1] === ')') return { values: [], end: start + 2 };
  const values: string[] = [];
  let at = start + 1;
  for (;;) {
    const rest = text.slice(at);
    const quoted = /^"((?:[^"\\]|\\.)*)"(?=[,)])/su.exec(rest);
    const plain = /^[^,)]*/su.exec(rest)?.[0] ?? '';
    values.push(quoted ? (quoted[1] ?? '').replaceAll(/\\(.)/gsu, '$1') : plain);
    at += (quoted?.[0] ?? plain).length;
    const next = text[at];
    at += 1;
    if (next === ',') continue;
    if (next !== ')') throw fail('unexpected end of input, expecting ")"');
    return { values, end: at };
  }
}
