import { sql } from 'kysely';
import { CALL_OPEN_MS, DIAL_OPEN_MS, type SheetLead } from '#contract/calling/calls.ts';
import type { Db } from '#db/connection/client.ts';
import { isUuid } from '#server/runs/rows.ts';
import { NUMBER } from './called-lead.ts';
import type { JudgedLead } from './desk.ts';
import { callsTo } from './logged-call.ts';
import type { Round } from './waiting-leads.ts';

type Contact = Omit<
  SheetLead,
  'checkedAt' | 'mayCall' | 'isTaken' | 'callability' | 'calls' | 'open' | 'mayDial' | 'dueAt'
> & {
  checkedAt: Date | null;
};

/** Who a lead of a list is; undefined for one that is gone or has no number. */
export async function readContact(db: Db, listId: string, leadId: string): Promise<Contact | undefined> {
  if (!isUuid(leadId)) return undefined;
  const { rows } = await sql<Contact>`
    select lead.id, lead.business_name as "businessName", lead.phone, ${NUMBER} as number, lead.address, lead.website, lead.email,
      lead.owner_name as "ownerName", lead.owner_title as "ownerTitle",
      lead.compliance_checked_at as "checkedAt"
    from public.leads as lead
    where lead.id = ${leadId}::uuid and lead.list_id = ${listId}::uuid and starts_with(lead.contact_keys[1], 'phone:')
  `.execute(db);
  return rows[0];
}

/** A lead as a sheet shows it, with the calls to its number. */
export async function sheetLead(
  db: Db,
  userId: string,
  { sandbox, at }: Round,
  contact: Contact,
  { mayCall, dialing, callability }: Pick<JudgedLead, 'mayCall' | 'dialing' | 'callability'>,
  isTaken: boolean,
): Promise<SheetLead> {
  const calls = await callsTo(db, userId, { number: contact.number, sandbox });
  const own = calls.find(({ isOwn }) => isOwn);
  const since = own ? at - Date.parse(own.calledAt) : 0;
  const open = own?.outcome === null && since <= CALL_OPEN_MS ? own : null;
  const begun = open && !isTaken && since <= DIAL_OPEN_MS ? dialing(Date.parse(open.calledAt)) : undefined;
  return {
    ...contact,
    checkedAt: contact.checkedAt?.toISOString() ?? null,
    mayCall: mayCall && !isTaken,
    isTaken,
    // One's own call that may be dialed counts already, and is not its own hindrance.
    callability: begun?.mayDial ? begun.callability : callability,
    calls,
    open,
    mayDial: begun?.mayDial ?? false,
    dueAt: own?.callBackAt ?? null,
  };
}
