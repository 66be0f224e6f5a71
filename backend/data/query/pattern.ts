import { types } from 'pg';
import { describeRisk } from './regex-risk.ts';

/** The longest regular expression, in characters. */
const MAX_REGEX = 200;
/** Wildcards (`%` or `*`) of one LIKE pattern. */
const MAX_WILDCARDS = 10;
/** Patterns of one `(any)` or `(all)`. */
const MAX_PATTERNS = 20;
/** PostgreSQL's type text[]. */
const TEXT_ARRAY: number = 1009;

const REGEX: ReadonlySet<string> = new Set(['match', 'imatch']);
const LIKE: ReadonlySet<string> = new Set(['like', 'ilike']);

/**
 * Says why PostgreSQL should not be given a person's pattern, or returns undefined for one that it may have.
 * - `operator`: any operator of a filter; those without patterns pass.
 * - `value`: as it reaches PostgreSQL; with `each` it is the text of an array.
 */
export function refusePattern(operator: string, value: string, each: boolean): string | undefined {
  if (!REGEX.has(operator) && !LIKE.has(operator)) return undefined;
  const patterns = each ? elementsOf(value) : [value];
  if (patterns.length > MAX_PATTERNS) return `at most ${MAX_PATTERNS} patterns may be given at once`;
  for (const pattern of patterns) {
    const reason = REGEX.has(operator) ? refuseRegex(pattern) : refuseLike(pattern);
    if (reason) return reason;
  }
  return undefined;
}

function refuseRegex(pattern: string): string | undefined {
  if (pattern.length > MAX_REGEX) return `a regular expression may have at most ${MAX_REGEX} characters`;
  return describeRisk(pattern);
}

function refuseLike(pattern: string): string | undefined {
  const wildcards = pattern.match(/[%*]/gu)?.length ?? 0;
  return wildcards > MAX_WILDCARDS ? `a pattern may have at most ${MAX_WILDCARDS} wildcards` : undefined;
}

/** The elements as PostgreSQL reads them. A text that is no array is its own only element: PostgreSQL refuses it. */
function elementsOf(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = types.getTypeParser(TEXT_ARRAY)(text);
  } catch {
    return [text];
  }
  const elements = Array.isArray(parsed) ? parsed.flat(8) : [text];
  return elements.filter((one) => typeof one === 'string');
}
