import { DataError } from '#backend/data/errors/data-error.ts';

/** The types that `select=column::type` may name, and how they are written. */
const CASTS: ReadonlyMap<string, string> = new Map(
  [
    ...['text', 'varchar', 'integer', 'bigint', 'smallint', 'numeric', 'real', 'boolean', 'uuid', 'json', 'jsonb'],
    ...['date', 'time', 'timestamp', 'timestamptz', 'interval'],
  ].map((name) => [name, name]),
)
  .set('int', 'integer')
  .set('int2', 'smallint')
  .set('int4', 'integer')
  .set('int8', 'bigint')
  .set('float4', 'real')
  .set('float8', 'double precision')
  .set('double precision', 'double precision')
  .set('decimal', 'numeric')
  .set('bool', 'boolean');

/**
 * `expression::type`.
 * @throws DataError 42704 for a type that is not among those above
 */
export function castSql(sql: string, type: string): string {
  const known = CASTS.get(type.toLowerCase());
  if (known === undefined) throw new DataError(400, '42704', `type "${type.slice(0, 100)}" does not exist`);
  return `${sql}::${known}`;
}
