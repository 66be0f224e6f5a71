import { badRange, unparsable, unsupported } from '#backend/data/data-error.ts';
import { readName, splitOutside } from './names.ts';
import { parseFilter } from './parse-filter.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import type { Query } from './query.ts';

const MAX_FILTERS = 100;
/** May be given once; `apikey` belongs to the gateway in front. */
const ONCE = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'apikey'];

/** Reads a query string. @throws DataError PGRST100, PGRST103 or PGRST127; it never lets through what it did not understand */
export function parseQuery(params: URLSearchParams): Query {
  for (const name of ONCE) {
    const given = params.getAll(name);
    if (given.length > 1) throw unparsable(name, given.join('&'), `${name} may be given once`);
  }
  if (params.has('on_conflict')) throw unsupported('Upsert (on_conflict)');
  const filters = [...params].filter(([key]) => !ONCE.includes(key));
  if (filters.length > MAX_FILTERS) {
    throw unparsable('filters', String(filters.length), `at most ${MAX_FILTERS} filters may be given`);
  }
  const limit = params.get('limit');
  const columns = params.get('columns');
  return {
    select: parseSelect(params.get('select') ?? undefined),
    where: filters.map(([key, value]) => parseFilter(key, value)),
    order: parseOrder(params.get('order') ?? undefined),
    ...(limit === null ? {} : { limit: parseCount('limit', limit) }),
    offset: parseCount('offset', params.get('offset') ?? '0'),
    ...(columns === null ? {} : { columns: splitOutside(columns, ',').map((name) => readName(name, 'columns')) }),
  };
}

function parseCount(name: string, text: string): number {
  if (/^-\d+$/u.test(text)) throw badRange(`${name} can not be negative`);
  const count = Number(text);
  if (!/^\d+$/u.test(text) || !Number.isSafeInteger(count))
    throw unparsable(name, text, `${name} must be a whole number`);
  return count;
}
