import { unparsable, unsupported } from '#backend/data/data-error.ts';
import { readName, splitOutside } from './names.ts';
import type { Ordered } from './query.ts';

/** `order=created_at.desc.nullslast,name`. @throws DataError PGRST100, or PGRST127 for JSON paths and embedded columns */
export function parseOrder(text: string | undefined): Ordered[] {
  if (text === undefined) return [];
  return splitOutside(text, ',').map((part) => parseTerm(part.trim(), text));
}

function parseTerm(term: string, whole: string): Ordered {
  const [name = '', ...modifiers] = splitOutside(term, '.');
  const bare = name.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '""');
  if (bare.includes('(')) throw unsupported('Ordering by an embedded table');
  if (bare.includes('->')) throw unsupported('Ordering by a JSON path');
  const ordered: Ordered = { column: readName(name, 'order'), descending: false };
  const direction = modifiers[0] === 'asc' || modifiers[0] === 'desc' ? modifiers.shift() : undefined;
  ordered.descending = direction === 'desc';
  const nulls = modifiers.shift();
  if (nulls === 'nullsfirst') ordered.nulls = 'first';
  else if (nulls === 'nullslast') ordered.nulls = 'last';
  else if (nulls !== undefined) {
    throw unparsable('order', whole, `unexpected "${nulls.slice(0, 60)}" expecting asc, desc, nullsfirst or nullslast`);
  }
  if (modifiers.length > 0) throw unparsable('order', whole, 'unexpected text after nullsfirst or nullslast');
  return ordered;
}
