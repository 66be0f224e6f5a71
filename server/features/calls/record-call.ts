import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import { erasingLate } from '#server/evidence/erase-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import type { CallRow } from './logged-call.ts';

type Called = Pick<CallRow, 'number' | 'listId'>;
type Said = { entry: EvidenceEntry; note?: string };

/** Records what became of a call as evidence. A number that was erased meanwhile is not written down again, nor a note about it. */
export async function recordCall(tx: Tx, vault: Vault, { number }: Called, { entry, note }: Said): Promise<void> {
  const subjects = [`phone:${number}`];
  // A part of its own: it goes where it mentions someone else who is erased.
  const notes = note ? [{ subjects, content: { note } }] : [];
  await appendEvidence(tx, vault, [{ ...entry, parts: [{ subjects, content: { phone: number } }, ...notes] }]);
  await erasingLate(vault, subjects).execute(tx);
}

/** What is kept of a note: nothing once the number was erased, or the list is gone. `note`: without others who were erased. */
export async function keptNote(tx: Tx, { number, listId }: Called, note: string | undefined): Promise<string> {
  if (!note || listId === null) return '';
  const { rows } = await sql<{ erased: boolean }>`
    select app.is_erased(array['phone:' || ${number}::text]) as erased
  `.execute(tx);
  return rows[0]?.erased ? '' : note;
}
