/** Characters that no one sees, and the one that PostgreSQL cannot store. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Joiners spell words of Persian and Indian languages, and make one emoji of several. Elsewhere no one sees them. */
const UNSEEN_JOINER =
  /(?<!\ufe0f|[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu;
/** A spreadsheet's way to say that a number is a text. */
const FORCED_TEXT = /^="((?:[^"]|"")*)"$/;
/** Words that stand where nothing is known, and those of a formula that failed. */
const NOTHING =
  /^(?:n\/?a|null|none|nil|undefined|-+|\.+|\?+|#n\/a|#name\?|#div\/0!|#(?:ref|value|num|null|spill|calc|error)!)$/i;

/** A cell as one line, without what surrounds its text. */
export function tidy(cell: string): string {
  const plain = cell
    .replaceAll(UNSEEN, '')
    .replaceAll(UNSEEN_JOINER, '')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim();
  const forced = FORCED_TEXT.exec(plain)?.[1];
  if (forced !== undefined) return forced.replaceAll('""', '"').trim();
  // A quote that was never closed, and one that a spreadsheet shows a text by.
  if (/^"[^"]*$/.test(plain)) return plain.slice(1).trim();
  if (/^'[^']*$/.test(plain)) return plain.slice(1).trim();
  return plain;
}

/** The same, and nothing where the cell only says that nothing is known. */
export function textOf(cell: string): string {
  const text = tidy(cell);
  return NOTHING.test(text) ? '' : text;
}
