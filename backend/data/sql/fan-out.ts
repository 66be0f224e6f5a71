import type { Page } from '#backend/data/range.ts';
import { embeddedLimit, isCount, windowSql } from './projection.ts';
import { pageSql } from './read.ts';
import type { Embedded, Source } from './source.ts';
import { createParameters, type Parameters, type Statement } from './statement.ts';
import { embeddedFromSql, whereSql } from './where.ts';

/** No answer holds more rows of tables embedded in its rows, all together. */
export const MAX_EMBEDDED_ROWS = 20_000;

type Chain = readonly Embedded[];

/**
 * Counts the rows that a page would embed, as `rows`, for a page whose limits allow more than MAX_EMBEDDED_ROWS. It
 * stops counting beyond. Undefined where the limits alone keep the answer small.
 */
export function fanOutSql(source: Source, page: Page): Statement | undefined {
  const chains = chainsOf(source, []);
  const most = chains.reduce((sum, chain) => sum + page.limit * widthOf(chain), 0);
  if (most <= MAX_EMBEDDED_ROWS) return undefined;
  const parameters = createParameters();
  const counts = chains.map((chain) => chainSql(source, page, chain, parameters));
  return { text: `select (${counts.join(' + ')})::integer as rows`, values: parameters.values };
}

/** Every way from the page to a table of which a row embeds several rows. */
function chainsOf(source: Source, before: Chain): Chain[] {
  return source.embedded.flatMap((embedded) => {
    const chain = [...before, embedded];
    const inside = chainsOf(embedded.source, chain);
    return embedded.relation.many && !onlyCounts(embedded.source) ? [chain, ...inside] : inside;
  });
}

const onlyCounts = (source: Source): boolean =>
  source.part.select.every((one) => one.kind === 'field' && isCount(source, one.field.column));

const widthOf = (chain: Chain): number =>
  chain.reduce((width, { relation, source }) => width * (relation.many ? embeddedLimit(source) : 1), 1);

function chainSql(source: Source, page: Page, chain: Chain, parameters: Parameters): string {
  const { alias, table } = source;
  const where = whereSql(source, parameters);
  const first = `(select ${alias}.* from ${table.sql} as ${alias}${where}${pageSql(source, page, parameters)}) as ${alias}`;
  let parent = source;
  const others = chain.map((embedded) => {
    const from = embeddedFromSql(parent, embedded, parameters);
    parent = embedded.source;
    return `, lateral (select ${parent.alias}.* ${from}${windowSql(parent, parameters)}) as ${parent.alias}`;
  });
  const enough = `${parameters.add(MAX_EMBEDDED_ROWS + 1)}::bigint`;
  return `(select count(*) from (select 1 from ${first}${others.join('')} limit ${enough}) as page)`;
}
