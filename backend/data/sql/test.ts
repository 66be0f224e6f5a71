import type { Operator, SearchWords, Test, Truth } from '#backend/data/query/query.ts';
import type { Parameters } from './statement.ts';

const COMPARE: Readonly<Record<Operator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

/** These compare with a pattern, whatever the column's type. */
const PATTERNS: ReadonlySet<Operator> = new Set<Operator>(['like', 'ilike', 'match', 'imatch']);

const IS: Readonly<Record<Truth, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

const SEARCH: Readonly<Record<SearchWords, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

/** What a filter asks of `left`, a field's SQL, as a condition. */
export function testSql(left: { sql: string; type: string }, test: Test, parameters: Parameters): string {
  switch (test.kind) {
    case 'is':
      return `${left.sql} ${IS[test.truth]}`;
    case 'in':
      return `${left.sql} = any(${parameters.add(test.values)}::${left.type}[])`;
    case 'search':
      return searchSql(left, test, parameters);
    case 'compare': {
      const { operator, each, value } = test;
      const type = PATTERNS.has(operator) ? 'text' : left.type;
      const stars = operator === 'like' || operator === 'ilike';
      const given = parameters.add(stars ? value.replaceAll('*', '%') : value);
      const right = each ? `${each} (${given}::${type}[])` : `${given}::${type}`;
      return `${left.sql} ${COMPARE[operator]} ${right}`;
    }
  }
}

function searchSql(
  left: { sql: string; type: string },
  { words, config, value }: Extract<Test, { kind: 'search' }>,
  parameters: Parameters,
): string {
  const language = config === undefined ? '' : `${parameters.add(config)}::regconfig, `;
  const document = left.type === 'tsvector' ? left.sql : `to_tsvector(${language}${left.sql})`;
  return `${document} @@ ${SEARCH[words]}(${language}${parameters.add(value)}::text)`;
}
