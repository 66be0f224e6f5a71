import { unparsable } from '#backend/data/errors/data-error.ts';
import { refusePattern } from './pattern.ts';
import type { Operator, SearchWords, Test, Truth } from './query.ts';

const OPERATORS: ReadonlySet<string> = new Set<Operator>([
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'isdistinct'] as const),
  ...(['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const),
]);
const FOR_EACH: ReadonlySet<string> = new Set<Operator>([
  ...(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'] as const),
]);
const SEARCHES: ReadonlySet<string> = new Set<SearchWords>(['fts', 'plfts', 'phfts', 'wfts']);
const TRUTHS: ReadonlySet<string> = new Set<Truth>(['null', 'not_null', 'true', 'false', 'unknown']);

const isOperator = (text: string): text is Operator => OPERATORS.has(text);
const isSearch = (text: string): text is SearchWords => SEARCHES.has(text);
const isTruth = (text: string): text is Truth => TRUTHS.has(text);

/** `eq`, `like(any)`, `fts(english)`: an operator and what stands in its brackets. */
export const OPERATOR = String.raw`([a-z]+)(?:\(([\w."$]{1,63})\))?`;

/**
 * What an operator asks. `value` is a text, or the values of an in-list.
 * @throws DataError PGRST100
 */
export function testOf(operator: string, modifier: string | undefined, value: string | string[]): Test {
  const fail = (details: string) => unparsable('filter', `${operator}.${String(value)}`, details);
  if (Array.isArray(value)) return { kind: 'in', values: value };
  if (isSearch(operator)) {
    return { kind: 'search', words: operator, ...(modifier === undefined ? {} : { config: modifier }), value };
  }
  const each = modifier === 'any' || modifier === 'all' ? modifier : undefined;
  if (modifier !== undefined && (!each || !FOR_EACH.has(operator))) throw fail(`unexpected "(${modifier})"`);
  if (operator === 'is') {
    const truth = value.toLowerCase();
    if (!isTruth(truth)) throw fail('is expects null, not_null, true, false or unknown');
    return { kind: 'is', truth };
  }
  if (!isOperator(operator)) {
    throw fail(`unexpected "${operator.slice(0, 60)}" expecting an operator such as eq or gt`);
  }
  const refusal = refusePattern(operator, value, each !== undefined);
  if (refusal) throw fail(refusal);
  return { kind: 'compare', operator, ...(each ? { each } : {}), value };
}
