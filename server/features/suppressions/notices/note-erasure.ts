import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { ErasedSubject } from '#server/features/suppressions/erasure/erased-subject.ts';
import { pastExportsHolding } from '#server/features/suppressions/past-exports.ts';
import { type ErasureNotice, sealNotice } from './erasure-notice.ts';

type Holder = Pick<ErasureNotice, 'fileName' | 'exportedAt' | 'askedAt'> & { userId: string; told: boolean };

/**
 * Notes whom to tell that their exports held a contact, while its entry still says who was told before. Returns how many exports did.
 * What the mail says is sealed: nothing else in the database names the contact by then.
 */
export async function noteErasure(tx: Tx, vault: Vault, { kind, key, value, hash }: ErasedSubject): Promise<number> {
  const { rows } = await sql<Holder>`
    select distinct on (profile.user_id) profile.user_id as "userId", export.file_name as "fileName",
      export.exported_at as "exportedAt", coalesce(entry.asked_at, entry.added_at, now()) as "askedAt",
      exists (
        select from app.suppression_notices as told where told.suppression_id = entry.id and told.user_id = profile.user_id) as told
    from app.exports_holding(array[${key}]) as held join app.exports as export on export.id = held.export_id
      join app.profiles as profile on profile.user_id = export.user_id
      left join app.suppressions as entry on entry.key = ${key}
    order by profile.user_id, export.exported_at desc
  `.execute(tx);
  for (const { userId, told, ...held } of rows) {
    const id = randomUUID();
    await sql`
      insert into app.erasure_notices (id, hash, user_id, sealed_notice)
      values (${id}::uuid, decode(${hash}, 'hex'), ${userId}::uuid, ${told ? null : sealNotice(vault, id, { ...held, kind, value })})
      on conflict (hash, user_id) do nothing
    `.execute(tx);
  }
  return (await pastExportsHolding(tx, [key])).length;
}
