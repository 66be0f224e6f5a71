import { unparsable, unsupported } from '#backend/data/data-error.ts';
import { readName, splitOutside } from './names.ts';
import type { Selected } from './query.ts';

/**
 * `select=*`, `select=id,name`, `select=title:name`. Absent means every column.
 * @throws DataError PGRST100 when it can not be read, PGRST127 for embedding, casts, JSON paths and aggregates
 */
export function parseSelect(text: string | undefined): Selected[] {
  if (text === undefined) return [{ column: '*' }];
  return splitOutside(text, ',').map((part) => parseItem(part.trim(), text));
}

function parseItem(item: string, whole: string): Selected {
  const bare = item.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '""');
  if (bare.startsWith('...')) throw unsupported('Spreading an embedded table into select');
  if (bare.includes('(')) throw unsupported('Embedding other tables or aggregates in select');
  if (bare.includes('::')) throw unsupported('A cast in select');
  if (bare.includes('->')) throw unsupported('A JSON path in select');
  if (item === '*') return { column: '*' };
  const [first = '', second, ...more] = splitOutside(item, ':');
  if (more.length > 0) throw unparsable('select parameter', whole, 'unexpected ":"');
  if (second === undefined) return { column: readName(first, 'select parameter') };
  return { column: readName(second, 'select parameter'), as: readName(first, 'select parameter') };
}
