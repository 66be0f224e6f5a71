import { unparsable } from '#backend/data/errors/data-error.ts';
import { readName, splitOutside } from './names.ts';
import { parseField } from './parse-field.ts';
import type { Ordered } from './query.ts';

/**
 * `order=created_at.desc.nullslast,search_params->>radius,lists(name)`.
 * @throws DataError PGRST100
 */
export function parseOrder(text: string | undefined): Ordered[] {
  if (text === undefined) return [];
  return splitOutside(text, ',').map((part) => parseTerm(part.trim(), text));
}

function parseTerm(term: string, whole: string): Ordered {
  const [name = '', ...modifiers] = splitOutside(term, '.');
  const direction = modifiers[0] === 'asc' || modifiers[0] === 'desc' ? modifiers.shift() : undefined;
  const ordered: Ordered = { ...parseBy(name), descending: direction === 'desc' };
  const nulls = modifiers.shift();
  if (nulls === 'nullsfirst') ordered.nulls = 'first';
  else if (nulls === 'nullslast') ordered.nulls = 'last';
  else if (nulls !== undefined) {
    throw unparsable('order', whole, `unexpected "${nulls.slice(0, 60)}" expecting asc, desc, nullsfirst or nullslast`);
  }
  if (modifiers.length > 0) throw unparsable('order', whole, 'unexpected text after nullsfirst or nullslast');
  return ordered;
}

/** A field, or one of an embedded table: `lists(name)`. */
function parseBy(name: string): Pick<Ordered, 'field' | 'relation'> {
  const [relation, field] = /^([^"(]+|"(?:[^"\\]|\\.)+")\((.*)\)$/su.exec(name)?.slice(1) ?? [];
  if (relation === undefined || field === undefined) return { field: parseField(name, 'order') };
  return { field: parseField(field, 'order'), relation: readName(relation, 'order') };
}
