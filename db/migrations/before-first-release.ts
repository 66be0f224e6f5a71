import type pg from 'pg';
import { productMigrations } from './our-migrations.ts';

/** The product's first migration before all of them were written again for release 0.1.0. */
const FIRST_OF_OLD = '20261121000000';

/** Whether a record of the product's migrations was made before release 0.1.0. It may hold migrations that are not ours. */
export function isBeforeFirstRelease(versions: readonly string[]): boolean {
  return versions.includes(FIRST_OF_OLD) && !productMigrations().some(({ version }) => versions.includes(version));
}

/**
 * Looks at the product's record alone: the old and the new files of our backend share some numbers.
 *
 * @throws Error for a database from before release 0.1.0. Nothing is changed.
 */
export async function refuseBeforeFirstRelease(client: pg.Client): Promise<void> {
  const { rows: found } = await client.query<{ record: string | null }>(
    "select to_regclass('supabase_migrations.schema_migrations') as record",
  );
  if (!found[0]?.record) return;
  const { rows } = await client.query<{ version: string }>('select version from supabase_migrations.schema_migrations');
  if (isBeforeFirstRelease(rows.map(({ version }) => version)))
    throw new Error(
      'This database is older than the first release of Fairlead, which cannot upgrade it. Use an empty database.',
    );
}
