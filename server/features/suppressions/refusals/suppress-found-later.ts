import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Deps } from '#server/deps.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { addEntries } from '#server/features/suppressions/add-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { noteRequest } from '#server/features/suppressions/note-request.ts';
import { NOTE_BESIDE, NOTE_OF_PLACE } from '#server/features/suppressions/suppress-after-call.ts';

type Found = { kind: 'phone' | 'business'; value: string; asked_at: Date };

/** Suppresses all numbers and places that were found since their business asked not to be called. */
export async function suppressFoundLater({ db, vault }: Pick<Deps, 'db' | 'vault'>): Promise<void> {
  const { rows } = await sql<Found>`select kind, value, asked_at from app.found_after_refusals(null)`.execute(db);
  if (rows.length === 0) return;
  const added = await db.transaction().execute((tx) => store(tx, vault, rows));
  await tellHeldLeads(db, added);
}

/** Suppresses a number that is to be called, if it was found so. `number` as E.164. */
export async function suppressIfFoundLater(tx: Tx, vault: Deps['vault'], number: string): Promise<void> {
  const { rows } = await sql<Found>`
    select kind, value, asked_at from app.found_after_refusals(${number})
  `.execute(tx);
  if (rows.length > 0) await tellHeldLeads(tx, await store(tx, vault, rows));
}

async function store(tx: Tx, vault: Deps['vault'], found: readonly Found[]): Promise<string[]> {
  const evidence = await evidenceVault(tx, vault);
  const entries = found.map(({ kind, value }) => ({
    kind,
    value,
    note: kind === 'phone' ? NOTE_BESIDE : NOTE_OF_PLACE,
  }));
  const { keys } = await addEntries(tx, evidence, entries, { source: 'call', addedBy: null });
  for (const { kind, value, asked_at: askedAt } of found)
    await noteRequest(tx, evidence, { key: `${kind}:${value}`, askedAt, source: 'call', actor: null });
  return keys;
}
