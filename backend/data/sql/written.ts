import type { Shape } from '#backend/data/accept.ts';
import type { Table } from '#backend/data/catalogue.ts';
import type { Selected } from '#backend/data/query/query.ts';
import { projectionOf } from './projection.ts';
import type { Parameters } from './statement.ts';

/** The rows to answer after a write; undefined answers none. */
export type Returning = { select: readonly Selected[]; shape: Shape } | undefined;

/** Wraps a write so that it answers one row of `body` and `rows`; without `returning` it is left as it is. */
export function writtenSql(write: string, table: Table, returning: Returning, parameters: Parameters): string {
  if (!returning) return write;
  const projection = projectionOf(table, returning.select, parameters);
  const body = projection.json('written', returning.shape);
  return `with written as (${write} returning ${projection.columns}) select ${body} as body, count(*)::integer as rows from written`;
}
