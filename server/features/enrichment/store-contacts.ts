import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { FILE, FROM_FILE, sourceIn } from '#server/leads/origins/value-rights.ts';
import type { Answered } from '#server/paid-calls/operation.ts';
import { addToTotals } from '#server/runs/progress/totals.ts';
import { lockList } from '#server/runs/rows.ts';
import { type ChosenEmail, type ChosenOwner, chooseEmail, chooseOwner } from './choose-contacts.ts';
import type { DomainAnswer } from './domain-search-operation.ts';
import { withoutSuppressedContacts } from './without-suppressed-contacts.ts';

type Lead = {
  id: string;
  email: string | null;
  owner_name: string | null;
  email_call_id: string | null;
  owner_call_id: string | null;
  sources: unknown;
};

/** What is new to a lead. */
type Found = { id: string; callId: string; email: ChosenEmail | undefined; owner: ChosenOwner | undefined };

/**
 * Writes what was found for domains to their leads, and counts what changed.
 * - An email brings its confidence and verification, unless it was verified later. An owner brings the title.
 * - No one whose address is on the suppression list is taken: the lead would be held back. Someone else of the business is.
 * - Where nothing was found, a lead stays as it is. What came from the user's own file stays.
 * - `keepsFree`: an email that open data or the website had stays as well. It was the first good answer, and may have been verified.
 * - Storing the same answer again changes and counts nothing.
 */
export async function storeContacts(
  tx: Tx,
  run: { id: string; listId: string },
  leadsOf: ReadonlyMap<string, readonly string[]>,
  answered: readonly Answered<DomainAnswer>[],
  { keepsFree }: { keepsFree: boolean },
): Promise<void> {
  const list = await lockList(tx, run.listId);
  if (!list) return;
  const ids = answered.flatMap(({ subject }) => leadsOf.get(subject) ?? []);
  const leads = await lockLeads(tx, run.listId, ids);
  const free = await withoutSuppressedContacts(
    tx,
    answered.map(({ answer }) => answer),
  );
  const found: Found[] = [];
  const totals = { leadsUpdated: 0, emailsAdded: 0, contactsAdded: 0 };
  for (const [at, { subject, callId }] of answered.entries()) {
    const contacts = free[at]?.contacts ?? [];
    const email = chooseEmail(contacts);
    const owner = chooseOwner(contacts);
    for (const id of leadsOf.get(subject) ?? []) {
      const lead = leads.get(id);
      if (!lead) continue;
      const hasEmail = keepsFree ? isFree(lead) : isFromFile(lead, 'email');
      const newEmail = lead.email_call_id === callId || hasEmail ? undefined : email;
      const newOwner = lead.owner_call_id === callId || isFromFile(lead, 'owner_name') ? undefined : owner;
      if (!newEmail && !newOwner) continue;
      found.push({ id, callId, email: newEmail, owner: newOwner });
      totals.leadsUpdated += 1;
      if (newEmail && !lead.email) totals.emailsAdded += 1;
      if (newOwner && !lead.owner_name) totals.contactsAdded += 1;
    }
  }
  if (found.length === 0) return;
  await writeToLeads(tx, found);
  const has_emails = list.has_emails || totals.emailsAdded > 0;
  const has_contacts = list.has_contacts || totals.contactsAdded > 0;
  if (has_emails !== list.has_emails || has_contacts !== list.has_contacts)
    await tx.updateTable('lists').set({ has_emails, has_contacts }).where('id', '=', run.listId).execute();
  await addToTotals(tx, run.id, totals);
}

/** Whether a value came from the user's own file. */
function isFromFile({ sources }: Lead, value: 'email' | 'owner_name'): boolean {
  const source = sourceIn(sources, value);
  return source === FILE || source?.startsWith(FROM_FILE) === true;
}

/** Whether a lead has an email that no provider was paid for. */
const isFree = ({ email, sources }: Lead): boolean => email !== null && sourceIn(sources, 'email') !== undefined;

async function lockLeads(tx: Tx, listId: string, ids: readonly string[]): Promise<Map<string, Lead>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('leads')
    .select(['id', 'email', 'owner_name', 'email_call_id', 'owner_call_id', 'sources'])
    .where('list_id', '=', listId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The verifier has checked the same email since. */
const isCheckedLater = sql`(lower(found.email) = lower(lead.email) and lead.email_checked_at is not null
  and (found.checked_on is null or lead.email_checked_at >= found.checked_on))`;

async function writeToLeads(tx: Tx, found: readonly Found[]): Promise<void> {
  const rows = found.map(({ id, callId, email, owner }) => ({
    id,
    email: email?.email,
    confidence: email?.confidence,
    verified: email?.verified,
    status: email?.status,
    checked_on: email?.checkedOn,
    email_call_id: email && callId,
    owner: owner?.name,
    title: owner?.title,
    owner_call_id: owner && callId,
  }));
  await sql`
    update public.leads as lead
    set email = coalesce(found.email, lead.email), email_call_id = coalesce(found.email_call_id, lead.email_call_id),
      email_confidence = case when found.email is null then lead.email_confidence else found.confidence end,
      email_verified = case when found.email is null or ${isCheckedLater} then lead.email_verified else found.verified end,
      email_status = case when found.email is null or ${isCheckedLater} then lead.email_status else found.status end,
      email_checked_at = case when found.email is null or ${isCheckedLater} then lead.email_checked_at else found.checked_on end,
      email_check_call_id = case when found.email is null or ${isCheckedLater} then lead.email_check_call_id
        when found.status is not null then found.email_call_id end,
      owner_name = coalesce(found.owner, lead.owner_name), owner_call_id = coalesce(found.owner_call_id, lead.owner_call_id),
      owner_title = case when found.owner is null then lead.owner_title else found.title end,
      sources = lead.sources - case when found.email is null then '{}'::text[] else '{email}' end
        - case when found.owner is null then '{}'::text[] else '{owner_name,owner_title}' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found
      (id uuid, email text, confidence integer, verified boolean, status text, checked_on timestamptz, email_call_id uuid, owner text, title text, owner_call_id uuid)
    where lead.id = found.id
  `.execute(tx);
}
