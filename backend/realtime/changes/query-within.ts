import type { Pool, QueryResult, QueryResultRow } from 'pg';

/** Reads by a statement that PostgreSQL cancels (57014) when it takes longer than `ms`. */
export async function queryWithin<R extends QueryResultRow>(
  pool: Pool,
  ms: number,
  text: string,
  values: unknown[],
): Promise<QueryResult<R>> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(`begin read only; set local statement_timeout = ${ms}`);
    return await client.query<R>(text, values);
  } finally {
    await client.query('rollback').then(
      () => {
        broken = false;
      },
      () => {},
    );
    client.release(broken);
  }
}
