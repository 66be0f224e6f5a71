import { sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ErasedSubject } from './erased-subject.ts';

/**
 * Has the kept exports of each list that held the subject removed by the next sweep. Returns how many.
 * A file cannot be changed, and its list can be exported again.
 */
export async function eraseFiles(tx: Tx, { key }: ErasedSubject, listIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into app.files_to_erase (name)
    select object.name from storage.objects as object
    where object.bucket_id = ${EXPORTS_BUCKET} and split_part(object.name, '/', 2) in (
      select unnest(${listIds}::text[])
      union all
      select export.list_id::text from app.exports as export
        join app.export_contacts as part on part.export_id = export.id
      where part.hashes @> app.short_hashes(array[${key}])
    )
    on conflict do nothing
  `.execute(tx);
  return Number(numAffectedRows);
}
