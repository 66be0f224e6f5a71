import { badRange, notEmbedded, unparsable } from '#backend/data/errors/data-error.ts';
import { readName, splitOutside } from './names.ts';
import { parseFilter } from './parse-filter.ts';
import { parseLogic } from './parse-logic.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import type { Condition, Embed, Part, Query } from './query.ts';

const MAX_FILTERS = 100;
const MAX_EMBEDS = 8;
/** May be given once; `apikey` belongs to the gateway in front. */
const ONCE = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'apikey'];

/**
 * Reads a query string; it never lets through what it did not understand.
 * @throws DataError PGRST100, PGRST103, PGRST108 for a parameter of a table that is not embedded, PGRST123
 */
export function parseQuery(params: URLSearchParams): Query {
  const query: Query = { select: parseSelect(params.get('select') ?? undefined), where: [], order: [], offset: 0 };
  if (countEmbeds(query) > MAX_EMBEDS) {
    throw unparsable('select parameter', params.get('select') ?? '', `at most ${MAX_EMBEDS} tables may be embedded`);
  }
  const given = new Set<string>();
  for (const [key, value] of params) {
    const [name = '', ...path] = splitOutside(key, '.').reverse();
    const once = path.length === 0 ? ONCE.includes(name) : ['order', 'limit', 'offset'].includes(name);
    if (!once) addCondition(query, key, value);
    else if (given.has(key)) throw unparsable(name, value, `${key} may be given once`);
    else setOnce(partAt(query, path.reverse()), name, value);
    if (once) given.add(key);
  }
  const columns = params.get('columns');
  const onConflict = params.get('on_conflict');
  if (columns !== null) query.columns = readNames('columns', columns);
  if (onConflict !== null) query.onConflict = readNames('on_conflict', onConflict);
  const filters = countFilters(query);
  if (filters > MAX_FILTERS) {
    throw unparsable('filters', String(filters), `at most ${MAX_FILTERS} filters may be given`);
  }
  return query;
}

function setOnce(part: Part, name: string, value: string): void {
  if (name === 'order') part.order = parseOrder(value);
  else if (name === 'limit') part.limit = parseCount('limit', value);
  else if (name === 'offset') part.offset = parseCount('offset', value);
}

/** `name=eq.x`, `leads.email=is.null`, `or=(…)`, `leads.not.and=(…)`. */
function addCondition(query: Query, key: string, value: string): void {
  const path = splitOutside(key, '.');
  const name = path.pop() ?? '';
  if (name !== 'and' && name !== 'or') {
    partAt(query, path).where.push(parseFilter(name, value));
    return;
  }
  const negated = path.at(-1) === 'not';
  if (negated) path.pop();
  partAt(query, path).where.push(parseLogic(name, negated, value));
}

/** The embedded part that a parameter names before its last dot. */
function partAt(part: Part, path: readonly string[]): Part {
  const [first, ...rest] = path;
  if (first === undefined) return part;
  const name = readName(first, 'filter');
  const embed = embedsOf(part).find(({ as, relation }) => (as ?? relation) === name);
  if (!embed) throw notEmbedded(name);
  return partAt(embed.part, rest);
}

const embedsOf = (part: Part): Embed[] => part.select.filter((selected) => selected.kind === 'embed');

const countEmbeds = (part: Part): number =>
  embedsOf(part).reduce((count, embed) => count + 1 + countEmbeds(embed.part), 0);

const countFilters = (part: Part): number =>
  countConditions(part.where) + embedsOf(part).reduce((count, embed) => count + countFilters(embed.part), 0);

const countConditions = (conditions: readonly Condition[]): number =>
  conditions.reduce((count, one) => count + (one.kind === 'filter' ? 1 : countConditions(one.conditions)), 0);

const readNames = (what: string, text: string): string[] => splitOutside(text, ',').map((name) => readName(name, what));

function parseCount(name: string, text: string): number {
  if (/^-\d+$/u.test(text)) throw badRange(`${name} cannot be negative`);
  const count = Number(text);
  if (!/^\d+$/u.test(text) || !Number.isSafeInteger(count))
    throw unparsable(name, text, `${name} must be a whole number`);
  return count;
}
