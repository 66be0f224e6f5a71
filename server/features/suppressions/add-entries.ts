import { sql } from 'kysely';
import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { recordSuppressions } from '#server/evidence/record-suppressions.ts';

/** `value` as `readEntry` returns it. */
export type NewEntry = { kind: SuppressionKind; value: string; note?: string | undefined };

/**
 * Stores entries, with their evidence. Returns the keys that are new. What stands there already stays as it is.
 * `evidence`: what `evidenceVault` returns.
 * Erased contacts are left out: they are held back for good, and must not be written down again.
 */
export async function addEntries(
  tx: Tx,
  evidence: Vault,
  entries: readonly NewEntry[],
  { source, addedBy }: { source: Suppression['source']; addedBy: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    insert into app.suppressions (kind, key, note, source, added_by)
    select distinct on (key) kind, key, nullif(note, ''), ${source}, ${addedBy}::uuid
    from (
      select kind, app.suppression_key(kind, value) as key, note
      from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ value }) => value)}::text[],
        ${entries.map(({ note }) => note ?? '')}::text[]) as entry (kind, value, note)
    ) as entry
    where key is not null and not app.is_erased(array[key])
    order by key
    on conflict (key) do nothing
    returning key
  `.execute(tx);
  const keys = rows.map(({ key }) => key);
  const [note] = entries.length === 1 ? entries.map((entry) => entry.note) : [];
  await recordSuppressions(tx, evidence, keys, { actor: addedBy, source, note });
  return keys;
}
