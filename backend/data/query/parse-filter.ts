import { unparsable } from '#backend/data/errors/data-error.ts';
import { parseField } from './parse-field.ts';
import { parseInList } from './parse-in-list.ts';
import { OPERATOR, testOf } from './parse-test.ts';
import type { Filter } from './query.ts';

const CONDITION = new RegExp(String.raw`^(not\.)?${OPERATOR}\.(.*)$`, 'su');

/**
 * `column=operator.value`, `column=not.operator.value`.
 * @throws DataError PGRST100
 */
export function parseFilter(key: string, text: string): Filter {
  const field = parseField(key, 'filter');
  const [, not, operator, modifier, value = ''] = CONDITION.exec(text) ?? [];
  if (operator === undefined) throw unparsable('filter', text, 'expecting operator.value, for example eq.1');
  const test = testOf(operator, modifier, operator === 'in' ? parseInList(value) : value);
  return { kind: 'filter', negated: not !== undefined, field, test };
}
