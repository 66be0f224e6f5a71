import { DataError, unsupported } from './data-error.ts';

/** What the `Prefer` header asks for, and what of it was honoured. */
export type Preferences = {
  representation: boolean;
  count: boolean;
  /** Whether a key that a row of a bulk insert lacks takes the column's default instead of null. */
  missingIsDefault: boolean;
  applied: string[];
};

/** PostgREST's other preferences: known, and not answered here. */
const NOT_ANSWERED =
  /^(?:resolution|max-affected|timezone)=|^(?:tx=rollback|return=headers-only|count=(?:planned|estimated))$/u;

/**
 * Reads `Prefer`. Unknown words are ignored, unless `handling=strict` is among them.
 * @throws DataError PGRST127 for PostgREST's preferences that are not answered here, PGRST122 under strict handling
 */
export function parsePreferences(header: string | undefined): Preferences {
  const preferences: Preferences = { representation: false, count: false, missingIsDefault: false, applied: [] };
  const words = (header ?? '').split(',').map((word) => word.trim().toLowerCase());
  const unknown: string[] = [];
  for (const word of words) {
    if (word === '') continue;
    if (NOT_ANSWERED.test(word)) throw unsupported(`The preference "${word}"`);
    if (word === 'return=representation') preferences.representation = true;
    else if (word === 'count=exact') preferences.count = true;
    else if (word === 'missing=default') preferences.missingIsDefault = true;
    else if (!['return=minimal', 'missing=null', 'tx=commit', 'handling=strict', 'handling=lenient'].includes(word)) {
      unknown.push(word);
      continue;
    }
    preferences.applied.push(word);
  }
  if (unknown.length > 0 && words.includes('handling=strict')) {
    throw new DataError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ').slice(0, 200)}`,
    });
  }
  return preferences;
}
