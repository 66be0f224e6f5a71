import { sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Db } from '#db/connection/client.ts';

/** Removes kept files by their names in the bucket. */
export type RemoveExports = (names: readonly string[]) => Promise<void>;

/** Names of kept files whose list is gone, or that may hold an erased contact, at most `most`. */
export async function findOrphans(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select object.name from storage.objects as object
    where object.bucket_id = ${EXPORTS_BUCKET}
      and (not exists (select from public.lists as list where list.id::text = split_part(object.name, '/', 2))
        or object.name in (select name from app.files_to_erase))
    order by object.name limit ${most}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Forgets the names of files that are gone. */
export async function forgetErasedFiles(db: Db): Promise<void> {
  await sql`
    delete from app.files_to_erase as file
    where not exists (select from storage.objects where bucket_id = ${EXPORTS_BUCKET} and name = file.name)
  `.execute(db);
}

/** In our own backend the bytes follow their row. */
export const fromOwnStorage =
  (db: Db): RemoveExports =>
  async (names) => {
    await sql`delete from storage.objects where bucket_id = ${EXPORTS_BUCKET} and name = any(${names}::text[])`.execute(
      db,
    );
  };
