import { DataError, unsupported } from './errors/data-error.ts';

/** What the `Prefer` header asks for, and what of it was honoured. */
export type Preferences = {
  representation: boolean;
  /** Exact, planned or estimated: all are answered with the exact count. */
  count: boolean;
  /** Whether a key that a row of a bulk insert lacks takes the column's default instead of null. */
  missingIsDefault: boolean;
  /** What an insert does with a row that is there already. */
  resolution?: 'merge' | 'ignore';
  /** The most rows a change may touch. */
  maxAffected?: number;
  /** Whether a write is undone once it is answered. */
  rollback: boolean;
  applied: string[];
};

/** PostgREST's other preferences: known, and not answered here. */
const NOT_ANSWERED = /^timezone=|^return=headers-only$/u;

/** Each word, and what it sets. */
const WORDS: Readonly<Record<string, Partial<Preferences>>> = {
  'return=representation': { representation: true },
  'return=minimal': {},
  'count=exact': { count: true },
  'count=planned': { count: true },
  'count=estimated': { count: true },
  'missing=default': { missingIsDefault: true },
  'missing=null': {},
  'resolution=merge-duplicates': { resolution: 'merge' },
  'resolution=ignore-duplicates': { resolution: 'ignore' },
  'tx=commit': {},
  'tx=rollback': { rollback: true },
  'handling=strict': {},
  'handling=lenient': {},
};

/**
 * Reads `Prefer`. Unknown words are ignored, unless `handling=strict` is among them; `max-affected` holds only then.
 * @throws DataError PGRST127 for PostgREST's preferences that are not answered here, PGRST122 under strict handling
 */
export function parsePreferences(header: string | undefined): Preferences {
  const preferences: Preferences = {
    representation: false,
    count: false,
    missingIsDefault: false,
    rollback: false,
    applied: [],
  };
  const words = (header ?? '').split(',').map((word) => word.trim().toLowerCase());
  const strict = words.includes('handling=strict');
  const unknown: string[] = [];
  for (const word of words) {
    if (word === '') continue;
    if (NOT_ANSWERED.test(word)) throw unsupported(`The preference "${word}"`);
    const sets = Object.hasOwn(WORDS, word) ? WORDS[word] : maxAffected(word, strict);
    if (!sets) {
      unknown.push(word);
      continue;
    }
    Object.assign(preferences, sets);
    preferences.applied.push(word);
  }
  if (unknown.length > 0 && strict) {
    throw new DataError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ').slice(0, 200)}`,
    });
  }
  return preferences;
}

function maxAffected(word: string, strict: boolean): Partial<Preferences> | undefined {
  const rows = /^max-affected=(\d{1,9})$/u.exec(word)?.[1];
  return rows === undefined || !strict ? undefined : { maxAffected: Number(rows) };
}
