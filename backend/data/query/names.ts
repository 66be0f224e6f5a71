import { unparsable } from '#backend/data/errors/data-error.ts';

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_ $-]*$/u;

/**
 * Reads one name, plain or in double quotes with `\` as escape.
 * @throws DataError PGRST100
 */
export function readName(text: string, what: string): string {
  const name = text.trim();
  if (PLAIN_NAME.test(name) || /^"(?:[^"\\]|\\.)+"$/su.test(name)) return unquoted(name);
  throw unparsable(what, text, `"${name.slice(0, 60)}" is not a column name`);
}

/** Takes the double quotes and their escapes away, if there are any. */
export const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : text;

/** Splits at `separator` outside double quotes and brackets. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
  }
  parts.push(text.slice(start));
  return parts;
}
