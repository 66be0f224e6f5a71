import type { z } from 'zod/mini';

type Issue = z.core.$ZodRawIssue;

const article = { string: 'String must contain', array: 'Array must contain' } as const;
const unit = { string: 'character(s)', array: 'element(s)' } as const;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return Number.isNaN(value) ? 'nan' : typeof value;
};

const quoted = (values: readonly unknown[], separator: string): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(separator);

/** A choice that is no text may be an object that cannot become one, so only its type is named. */
function choiceMessage({ values, input }: Issue & { code: 'invalid_value' }): string {
  if (input === undefined) return 'Required';
  if (values.length === 1) return `Invalid literal value, expected ${JSON.stringify(values[0])}`;
  const choices = quoted(values, ' | ');
  return typeof input === 'string'
    ? `Invalid enum value. Expected ${choices}, received '${input}'`
    : `Expected ${choices}, received ${typeOf(input)}`;
}

/** "String must contain at least 3 character(s)" and its kin; `words` holds exact, inclusive and exclusive wording. */
function sizeMessage(
  issue: { origin: string; inclusive?: boolean; exact?: boolean },
  limit: number | bigint,
  words: { count: readonly [string, string]; number: readonly [string, string] },
): string {
  const { origin } = issue;
  const pick = issue.inclusive === false ? 1 : 0;
  if (origin === 'string' || origin === 'array') {
    return `${article[origin]} ${issue.exact ? 'exactly' : words.count[pick]} ${limit} ${unit[origin]}`;
  }
  if (origin === 'date') return 'Invalid date';
  return `Number must be ${words.number[pick]} ${limit}`;
}

const FORMAT_NAMES: Record<string, string> = { guid: 'uuid', datetime: 'datetime', json_string: 'json' };

function formatMessage(issue: Issue & { code: 'invalid_format' }): string {
  switch (issue.format) {
    case 'regex':
      return 'Invalid';
    case 'starts_with':
      return `Invalid input: must start with "${issue.prefix}"`;
    case 'ends_with':
      return `Invalid input: must end with "${issue.suffix}"`;
    case 'includes':
      return `Invalid input: must include "${issue.includes}"`;
    default:
      return `Invalid ${FORMAT_NAMES[issue.format] ?? issue.format}`;
  }
}

/** The default texts that spec section 5 quotes ('Required', 'String must contain at least N character(s)'). */
export function defaultMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required';
      return issue.expected === 'date' ? 'Invalid date' : `Expected ${issue.expected}, received ${typeOf(issue.input)}`;
    case 'too_small':
      return sizeMessage(issue, issue.minimum, {
        count: ['at least', issue.origin === 'array' ? 'more than' : 'over'],
        number: ['greater than or equal to', 'greater than'],
      });
    case 'too_big':
      return sizeMessage(issue, issue.maximum, {
        count: ['at most', issue.origin === 'array' ? 'less than' : 'under'],
        number: ['less than or equal to', 'less than'],
      });
    case 'invalid_format':
      return formatMessage(issue);
    case 'invalid_value':
      return choiceMessage(issue);
    case 'unrecognized_keys':
      return `Unrecognized key(s) in object: ${quoted(issue.keys, ', ')}`;
    case 'not_multiple_of':
      return `Number must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return issue.input === undefined ? 'Required' : 'Invalid input';
    default:
      return 'Invalid input';
  }
}
