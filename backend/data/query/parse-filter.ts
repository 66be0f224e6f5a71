import { unparsable, unsupported } from '#backend/data/data-error.ts';
import { readName } from './names.ts';
import { parseInList } from './parse-in-list.ts';
import type { Condition, Operator, Truth } from './query.ts';

const OPERATORS: ReadonlySet<string> = new Set<Operator>(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike']);
const TRUTHS: ReadonlySet<string> = new Set<Truth>(['null', 'not_null', 'true', 'false', 'unknown']);
/** PostgREST's other operators: known, and not answered here. */
const NOT_ANSWERED =
  /^(?:not|match|imatch|isdistinct|fts|plfts|phfts|wfts|cs|cd|ov|sl|sr|nxr|nxl|adj|(?:eq|gt|gte|lt|lte|like|ilike|match|imatch)\((?:any|all)\)|(?:fts|plfts|phfts|wfts)\([^)]*\))$/u;

const isOperator = (text: string): text is Operator => OPERATORS.has(text);
const isTruth = (text: string): text is Truth => TRUTHS.has(text);

/** `column=operator.value`. @throws DataError PGRST100 when it can not be read, PGRST127 for what is not answered here */
export function parseFilter(key: string, text: string): Condition {
  if (/^(?:not\.)?(?:and|or)$/u.test(key)) throw unsupported(`The filter "${key}"`);
  const bare = key.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '""');
  if (bare.includes('->')) throw unsupported('A JSON path in a filter');
  if (bare.includes('.')) throw unsupported('A parameter of an embedded table');
  const column = readName(key, 'filter');
  const dot = text.indexOf('.');
  const operator = dot === -1 ? text : text.slice(0, dot);
  const value = dot === -1 ? '' : text.slice(dot + 1);
  if (NOT_ANSWERED.test(operator)) throw unsupported(`The operator "${operator}"`);
  if (dot === -1) throw unparsable('filter', text, 'expecting operator.value, for example eq.1');
  if (operator === 'in') return { kind: 'in', column, values: parseInList(value) };
  if (operator === 'is') {
    const truth = value.toLowerCase();
    if (!isTruth(truth)) throw unparsable('filter', text, 'is expects null, not_null, true, false or unknown');
    return { kind: 'is', column, truth };
  }
  if (!isOperator(operator)) {
    throw unparsable('filter', text, `unexpected "${operator.slice(0, 60)}" expecting an operator such as eq or gt`);
  }
  return { kind: 'compare', column, operator, value };
}
