import { aggregatesNotAllowed, unparsable } from '#backend/data/errors/data-error.ts';
import { readName, splitOutside } from './names.ts';
import { parseField } from './parse-field.ts';
import type { Embed, Selected, SelectedField } from './query.ts';

/** How deep tables may be embedded in each other. */
const MAX_DEPTH = 3;
const WHAT = 'select parameter';

/**
 * `select=*`, `select=title:name`, `select=name::text`, `select=search_params->>location`, `select=leads(email)`,
 * `select=first:leads!inner(*)`, `select=...lists(name)`. Absent means every column.
 * @throws DataError PGRST100 when it cannot be read, PGRST123 for an aggregate
 */
export function parseSelect(text: string | undefined, depth = 0): Selected[] {
  if (text === undefined) return [{ kind: 'all' }];
  return splitOutside(text, ',').map((part) => parseItem(part.trim(), depth));
}

function parseItem(item: string, depth: number): Selected {
  if (item === '*') return { kind: 'all' };
  const bare = item.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, (name) => '"'.repeat(name.length));
  if (/(?:^|[.:])(?:count|sum|avg|max|min)\(\)/u.test(bare)) throw aggregatesNotAllowed();
  const bracket = bare.indexOf('(');
  return bracket === -1 ? parseSelected(item) : parseEmbed(item, bracket, depth);
}

function parseSelected(item: string): SelectedField {
  const parts = splitOutside(item, ':');
  const cast = parts.length > 2 && parts.at(-2) === '' ? parts.splice(-2)[1] : undefined;
  const [first = '', second, ...more] = parts;
  if (more.length > 0) throw unparsable(WHAT, item, 'unexpected ":"');
  const field = parseField(second ?? first, WHAT);
  // What lies in JSON is called like the last key of its path.
  const as = second === undefined ? field.path.findLast(({ isIndex }) => !isIndex)?.key : readName(first, WHAT);
  return {
    kind: 'field',
    field,
    ...(cast === undefined ? {} : { cast: cast.trim() }),
    ...(as === undefined ? {} : { as }),
  };
}

function parseEmbed(item: string, bracket: number, depth: number): Embed {
  if (depth === MAX_DEPTH) throw unparsable(WHAT, item, `tables may be embedded ${MAX_DEPTH} deep`);
  if (!item.endsWith(')')) throw unparsable(WHAT, item, 'expecting ")"');
  const spread = item.startsWith('...');
  const [target = '', ...marks] = splitOutside(item.slice(spread ? 3 : 0, bracket), '!');
  const [first = '', second, ...more] = splitOutside(target, ':');
  if (more.length > 0 || (spread && second !== undefined)) throw unparsable(WHAT, item, 'unexpected ":"');
  const hints = marks.filter((mark) => mark !== 'inner' && mark !== 'left');
  if (hints.length > 1 || marks.length - hints.length > 1) throw unparsable(WHAT, item, 'unexpected "!"');
  const inside = item.slice(bracket + 1, -1).trim();
  return {
    kind: 'embed',
    relation: readName(second ?? first, WHAT),
    ...(second === undefined ? {} : { as: readName(first, WHAT) }),
    ...(hints[0] === undefined ? {} : { hint: readName(hints[0], WHAT) }),
    inner: marks.includes('inner'),
    spread,
    part: { select: inside === '' ? [] : parseSelect(inside, depth + 1), where: [], order: [], offset: 0 },
  };
}
