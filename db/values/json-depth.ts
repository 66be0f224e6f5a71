/** Nothing that we are sent nests half as deep. What walks a value by recursion, here or in PostgreSQL, fails only far beyond. */
const DEEPEST = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether arrays and objects of a JSON text stand in each other too deep to be stored. The text need not be valid. */
export const nestsTooDeep = (text: string): boolean => scanJson(text, Number.POSITIVE_INFINITY) === 'too deep';

/**
 * Reads a JSON text without parsing it, which costs a fraction.
 * - `mostRows`: the arrays and objects that may stand in the outermost one.
 * - The text need not be valid. Stops at the first fault.
 */
export function scanJson(text: string, mostRows: number): 'too deep' | 'too many rows' | undefined {
  let depth = 0;
  let rows = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at + 1);
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      depth += 1;
      if (depth === 2) rows += 1;
      if (depth > DEEPEST) return 'too deep';
      if (rows > mostRows) return 'too many rows';
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) depth -= 1;
  }
  return undefined;
}

/** Where the quote is that ends a string; the end of the text where none does. A file in a string is jumped over. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let behind = quote;
    while (behind > from && text.charCodeAt(behind - 1) === BACKSLASH) behind -= 1;
    if ((quote - behind) % 2 === 0) return quote;
  }
  return text.length;
}
