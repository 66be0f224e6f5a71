import type { Updateable } from 'kysely';
import type { Tx } from '#db/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { Answered } from '#server/paid-calls/operation.ts';
import { lockList } from '#server/runs/rows.ts';
import { addToTotals } from '#server/runs/totals.ts';
import { chooseEmail, chooseOwner } from './choose-contacts.ts';
import type { DomainAnswer } from './domain-search-operation.ts';

type Lead = {
  id: string;
  email: string | null;
  owner_name: string | null;
  email_call_id: string | null;
  owner_call_id: string | null;
};

/**
 * Writes what was found for domains to their leads, and counts what changed. An e-mail goes with its confidence and verification, an owner
 * with the title; nothing found leaves a lead as it is. Storing the same answer again changes and counts nothing.
 */
export async function storeContacts(
  tx: Tx,
  run: { id: string; listId: string },
  leadsOf: ReadonlyMap<string, readonly string[]>,
  answered: readonly Answered<DomainAnswer>[],
): Promise<void> {
  const list = await lockList(tx, run.listId);
  if (!list) return;
  const ids = answered.flatMap(({ subject }) => leadsOf.get(subject) ?? []);
  const leads = await readLeads(tx, run.listId, ids);
  const totals = { leadsUpdated: 0, emailsAdded: 0, contactsAdded: 0 };
  for (const { subject, answer, callId } of answered) {
    const email = chooseEmail(answer.contacts);
    const owner = chooseOwner(answer.contacts);
    for (const id of leadsOf.get(subject) ?? []) {
      const lead = leads.get(id);
      if (!lead) continue;
      const changes: Updateable<DB['leads']> = {};
      if (email && lead.email_call_id !== callId) {
        changes.email = email.email;
        changes.email_confidence = email.confidence;
        changes.email_verified = email.verified;
        changes.email_call_id = callId;
        if (!lead.email) totals.emailsAdded += 1;
      }
      if (owner && lead.owner_call_id !== callId) {
        changes.owner_name = owner.name;
        changes.owner_title = owner.title;
        changes.owner_call_id = callId;
        if (!lead.owner_name) totals.contactsAdded += 1;
      }
      if (Object.keys(changes).length === 0) continue;
      totals.leadsUpdated += 1;
      await tx.updateTable('leads').set(changes).where('id', '=', id).execute();
    }
  }
  if (totals.leadsUpdated === 0) return;
  const has_emails = list.has_emails || totals.emailsAdded > 0;
  const has_contacts = list.has_contacts || totals.contactsAdded > 0;
  if (has_emails !== list.has_emails || has_contacts !== list.has_contacts)
    await tx.updateTable('lists').set({ has_emails, has_contacts }).where('id', '=', run.listId).execute();
  await addToTotals(tx, run.id, totals);
}

async function readLeads(tx: Tx, listId: string, ids: readonly string[]): Promise<Map<string, Lead>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('leads')
    .select(['id', 'email', 'owner_name', 'email_call_id', 'owner_call_id'])
    .where('list_id', '=', listId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
