import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { addEntries, type NewEntry } from '#server/features/suppressions/add-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { readEntry } from '#server/features/suppressions/read-entry.ts';

/** A number or address from the CRM, as it stands there. */
export type OptOut = { kind: 'phone' | 'email'; value: string; note: string };

/** Suppresses what can be read of it. Returns how many are new. */
export async function storeOptOuts(db: Db, evidence: Vault, optOuts: readonly OptOut[]): Promise<number> {
  const entries = optOuts.flatMap(({ kind, value, note }): NewEntry[] => {
    const entry = readEntry(kind, value);
    return entry.state === 'read' ? [{ kind, value: entry.value, note }] : [];
  });
  if (entries.length === 0) return 0;
  const keys = await db
    .transaction()
    .execute((tx) => addEntries(tx, evidence, entries, { source: 'crm', addedBy: null }));
  await tellHeldLeads(db, keys);
  return keys.length;
}
