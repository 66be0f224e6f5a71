import { unparsable } from '#backend/data/errors/data-error.ts';
import { unquoted } from './names.ts';
import { FIELD, parseField } from './parse-field.ts';
import { readInList } from './parse-in-list.ts';
import { OPERATOR, testOf } from './parse-test.ts';
import type { Condition, Group } from './query.ts';

const MAX_NESTING = 8;

const GROUP = /(not\.)?(and|or)\(\s*/uy;
const FILTER = new RegExp(String.raw`(${FIELD})\.(not\.)?${OPERATOR}\.`, 'suy');
const VALUE = /("(?:[^"\\]|\\.)*")(?=\s*[,)])|\{[^{}]*\}|[^,)]*/suy;
const NEXT = /\s*([,)])\s*/uy;

/**
 * `(a.eq.1,not.and(b.gt.2,c.is.null))`, the value of `or` and `and`. Values with commas or brackets stand in quotes.
 * @throws DataError PGRST100
 */
export function parseLogic(kind: Group['kind'], negated: boolean, text: string): Group {
  const whole = text.trim();
  let at = 0;
  const fail = (details: string) => unparsable('logic tree', text, details);
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(whole);
    if (found) at = pattern.lastIndex;
    return found;
  };

  const conditions = (depth: number): Condition[] => {
    if (depth > MAX_NESTING) throw fail(`conditions may nest ${MAX_NESTING} deep`);
    const found: Condition[] = [];
    for (;;) {
      found.push(condition(depth));
      const next = take(NEXT)?.[1];
      if (next === ')') return found;
      if (next === undefined) throw fail('expecting "," or ")"');
    }
  };
  const condition = (depth: number): Condition => {
    const group = take(GROUP);
    if (group) {
      return {
        kind: group[2] === 'and' ? 'and' : 'or',
        negated: group[1] !== undefined,
        conditions: conditions(depth + 1),
      };
    }
    const [filter, field = '', not, operator = '', modifier] = take(FILTER) ?? [];
    if (filter === undefined) throw fail('expecting column.operator.value, and(…) or or(…)');
    const test = testOf(operator, modifier, operator === 'in' ? list() : unquotedValue(take(VALUE)));
    return { kind: 'filter', negated: not !== undefined, field: parseField(field, 'logic tree'), test };
  };
  const list = (): string[] => {
    const { values, end } = readInList(whole, at);
    at = end;
    return values;
  };

  if (!whole.startsWith('(')) throw fail('expecting "("');
  at = /^\(\s*/u.exec(whole)?.[0].length ?? 1;
  const group: Group = { kind, negated, conditions: conditions(1) };
  if (at < whole.length) throw fail('unexpected text after ")"');
  return group;
}

const unquotedValue = (found: RegExpExecArray | null): string =>
  found?.[1] === undefined ? (found?.[0] ?? '') : unquoted(found[1]);
