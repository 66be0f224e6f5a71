import { sql } from 'kysely';
import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { recordSuppressions } from '#server/evidence/record-suppressions.ts';

/** `value` as `readEntry` returns it. */
export type NewEntry = { kind: SuppressionKind; value: string; note?: string | undefined };

/**
 * Stores entries, with their evidence. Returns the keys that are new. What stands there already stays as it is.
 * Erased contacts are left out: they are held back for good, and must not be written down again.
 * - `evidence`: what `evidenceVault` returns.
 */
export async function addEntries(
  tx: Tx,
  evidence: Vault,
  entries: readonly NewEntry[],
  { source, addedBy }: { source: Suppression['source']; addedBy: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    insert into app.suppressions (id, kind, key, note, source, added_by)
    select distinct on (key) encode(overlay(uuid_send(gen_random_uuid()) placing ${beginningOfIds()} from 1), 'hex')::uuid,
      kind, key, nullif(note, ''), ${source}, ${addedBy}::uuid
    from (
      select kind, app.suppression_key(kind, value) as key, note
      from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ value }) => value)}::text[],
        ${entries.map(({ note }) => note ?? '')}::text[]) as entry (kind, value, note)
    ) as entry
    where key is not null and not ((select exists (select from app.erased_contacts)) and app.is_erased(array[key]))
    order by key
    on conflict (key) do nothing
    returning key
  `.execute(tx);
  const keys = rows.map(({ key }) => key);
  const [note] = entries.length === 1 ? entries.map((entry) => entry.note) : [];
  await recordSuppressions(tx, evidence, keys, { actor: addedBy, source, note });
  return keys;
}

/** Ids that grow with the clock (UUID version 7) are appended to their indexes, instead of touching every page of them. */
function beginningOfIds(): Buffer {
  const beginning = Buffer.alloc(7);
  beginning.writeUIntBE(Date.now(), 0, 6);
  beginning[6] = 0x70;
  return beginning;
}
