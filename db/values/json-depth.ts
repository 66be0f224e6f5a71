/** Nothing that we are sent nests half as deep. What walks a value by recursion, here or in PostgreSQL, fails only far beyond. */
const DEEPEST = 32;

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const OPENING = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const CLOSING = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

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
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) inString = !inString;
    else if (inString && sign === BACKSLASH) at += 1;
    else if (inString) continue;
    else if (OPENING.has(sign)) {
      depth += 1;
      if (depth === 2) rows += 1;
      if (depth > DEEPEST) return 'too deep';
      if (rows > mostRows) return 'too many rows';
    } else if (CLOSING.has(sign)) depth -= 1;
  }
  return undefined;
}
