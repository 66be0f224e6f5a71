const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/**
 * A text of a spreadsheet as it shows: "_x000D_" stands for a character that XML cannot hold, "_x005F_" for an underscore before such words.
 * What PostgreSQL cannot store is left out (NUL) or replaced (half a surrogate pair).
 */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text
        .replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\0', '')
        .toWellFormed()
    : text;
