import { sql } from 'kysely';
import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { recordSuppressions } from '#server/evidence/record-suppressions.ts';
import { withoutErased } from '#server/evidence/without-erased.ts';

/** `value` as `readEntry` returns it. */
export type NewEntry = { kind: SuppressionKind; value: string; note?: string | undefined };

/** `keys`: those that are new. `unread`: places of entries that the database can make no key of. */
type Added = { keys: string[]; unread: number[] };

/**
 * Stores entries, with their evidence. What stands there already stays as it is.
 * Erased contacts are left out, also in notes about others: they are held back for good, and must not be written down again.
 * - One that was removed before counts from its first time.
 * - `evidence`: what `evidenceVault` returns.
 */
export async function addEntries(
  tx: Tx,
  evidence: Vault,
  entries: readonly NewEntry[],
  { source, addedBy }: { source: Suppression['source']; addedBy: string | null },
): Promise<Added> {
  const notes = await withoutErased(
    tx,
    entries.map((entry) => entry.note ?? ''),
  );
  const { rows } = await sql<{ key: string; place: null } | { key: null; place: number }>`
    with entry as materialized (
      select place::integer, kind, app.suppression_key(kind, value) as key, note
      from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ value }) => value)}::text[],
        ${notes}::text[]) with ordinality as entry (kind, value, note, place)
    ), hashed as (
      select one.key, one.hash
      from (select array_agg(key) as keys from entry where key is not null and exists (select from app.removed_suppressions)) as known,
        unnest(known.keys, app.contact_hashes(known.keys)) as one (key, hash)
    ), before as (
      select hashed.key, min(removed.asked_at) as asked_at from hashed join app.removed_suppressions as removed using (hash) group by hashed.key
    ), added as (
      insert into app.suppressions (id, kind, key, note, source, added_by, asked_at)
      select distinct on (key) encode(overlay(uuid_send(gen_random_uuid()) placing ${beginningOfIds()} from 1), 'hex')::uuid,
        kind, key, nullif(note, ''), ${source}, ${addedBy}::uuid, before.asked_at
      from entry left join before using (key)
      where key is not null and not ((select exists (select from app.erased_contacts)) and app.is_erased(array[key]))
      order by key
      on conflict (key) do nothing
      returning key
    )
    select key, null as place from added
    union all
    select null, place from entry where key is null
  `.execute(tx);
  const keys = rows.flatMap(({ key }) => key ?? []);
  const [note] = entries.length === 1 ? notes : [];
  await recordSuppressions(tx, evidence, keys, { actor: addedBy, source, note });
  return { keys, unread: rows.flatMap(({ place }) => (place === null ? [] : place - 1)) };
}

/** Ids that grow with the clock (UUID version 7) are appended to their indexes, instead of touching every page of them. */
function beginningOfIds(): Buffer {
  const beginning = Buffer.alloc(7);
  beginning.writeUIntBE(Date.now(), 0, 6);
  beginning[6] = 0x70;
  return beginning;
}
