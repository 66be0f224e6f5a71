/** Nothing that we are sent nests half as deep. What walks a value by recursion, here or in PostgreSQL, fails only far beyond. */
const DEEPEST = 32;

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const OPENING = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const CLOSING = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

/** Whether arrays and objects of a JSON text stand in each other too deep to be stored. The text need not be valid. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) inString = !inString;
    else if (inString && sign === BACKSLASH) at += 1;
    else if (inString) continue;
    else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}
