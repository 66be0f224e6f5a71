import { sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Db } from '#db/connection/client.ts';

/** Removes kept files by their names in the bucket. */
export type RemoveExports = (names: readonly string[]) => Promise<void>;

/**
 * Lists that an erased contact had been exported from, for a day: a file on its way at that time may be kept only afterwards.
 * Columns: list_id, erased_at.
 */
const lateExports = sql`
  select export.list_id, erased.erased_at
  from app.erased_contacts as erased
    join app.export_contacts as part
      on part.hashes @> array[('x' || encode(substr(erased.hash, 1, 8), 'hex'))::bit(64)::bigint]
    join app.exports as export on export.id = part.export_id
  where erased.erased_at > now() - interval '1 day' and export.exported_at < erased.erased_at`;

/** Names of kept files whose list is gone, or that may hold an erased contact, at most `most`. */
export async function findOrphans(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select object.name from storage.objects as object
    where object.bucket_id = ${EXPORTS_BUCKET}
      and (not exists (select from public.lists as list where list.id::text = split_part(object.name, '/', 2))
        or object.name in (select name from app.files_to_erase)
        or exists (select from (${lateExports}) as late
          where late.list_id::text = split_part(object.name, '/', 2) and object.created_at between late.erased_at and late.erased_at + interval '1 hour'))
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
