import pg from 'pg';

/** The rows of a query, as the owner of the database sees them. */
export async function rowsOf<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  query: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query, [...values])).rows;
  } finally {
    await client.end();
  }
}
