import { sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/export-archive.ts';
import type { Db } from '#db/connection/client.ts';

/** Removes kept files by their names in the bucket. */
export type RemoveExports = (names: readonly string[]) => Promise<void>;

/** Names of kept files whose list is gone, at most `most`. No one can reach them any more. */
export async function findOrphans(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select object.name from storage.objects as object
    where object.bucket_id = ${EXPORTS_BUCKET}
      and not exists (select from public.lists as list where list.id::text = split_part(object.name, '/', 2))
    order by object.name limit ${most}`.execute(db);
  return rows.map(({ name }) => name);
}

/** In our own backend the bytes follow their row. */
export const fromOwnStorage =
  (db: Db): RemoveExports =>
  async (names) => {
    await sql`delete from storage.objects where bucket_id = ${EXPORTS_BUCKET} and name = any(${names}::text[])`.execute(
      db,
    );
  };
