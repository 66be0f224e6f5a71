import { unparsable } from '#backend/data/errors/data-error.ts';
import { unquoted } from './names.ts';
import type { Field, Step } from './query.ts';

// A dash belongs to a name unless it begins an arrow.
const WORD = String.raw`[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*`;
const QUOTED = String.raw`"(?:[^"\\]|\\.)+"`;
const STEP = `->>?(?:${QUOTED}|-?${WORD})`;
/** A field wherever it stands in a text, as source of an expression with flags `s` and `u`. */
export const FIELD = String.raw`(?:${QUOTED}|(?=[\p{L}_])${WORD})(?:${STEP})*`;

const WHOLE = new RegExp(`^${FIELD}$`, 'su');
const COLUMN = new RegExp(`^(?:${QUOTED}|${WORD})`, 'su');
const STEPS = new RegExp(`(->>?)(${QUOTED}|-?${WORD})`, 'gsu');

/**
 * Reads `name` or `name->key->0->>key`; any part may stand in double quotes.
 * @throws DataError PGRST100
 */
export function parseField(text: string, what: string): Field {
  const field = text.trim();
  if (!WHOLE.test(field)) throw unparsable(what, text, `"${field.slice(0, 60)}" is not a column name`);
  const column = COLUMN.exec(field)?.[0] ?? '';
  const path = [...field.slice(column.length).matchAll(STEPS)].map(([, arrow, key = '']): Step => {
    const isIndex = /^-?\d+$/u.test(key);
    return { arrow: arrow === '->>' ? '->>' : '->', key: unquoted(key), isIndex };
  });
  return { column: unquoted(column), path };
}
