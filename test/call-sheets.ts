import { randomUUID } from 'node:crypto';
import {
  beginCallEndpoint,
  type CallOutcome,
  type CallSheet,
  callSheetEndpoint,
  leaveCallSheetEndpoint,
  logCallEndpoint,
} from '#contract/calling/calls.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import { tuesdayAt } from './call-clock.ts';
import { buildListOf, readLeads } from './lists.ts';
import type { TestUser } from './product.ts';

export const NOON = tuesdayAt(18);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const later = (ms: number) => new Date(NOON.getTime() + ms);

const CHICAGO = '1 Invented Street, Springfield, IL 62701, USA';
export const HONOLULU = '1 Invented Street, Honolulu, HI 96813, USA';
let made = 0;
/** A lead that may be called at noon. Its number comes again after a hundred. */
export const row = (business_name: string, more = {}) => {
  const number = String(100 + (made++ % 100)).padStart(4, '0');
  const checked = { compliance_status: 'safe', compliance_checked_at: later(-24 * HOUR_MS), phone_type: 'landline' };
  return { business_name, phone: `+1 217-555-${number}`, address: CHICAGO, ...checked, ...more };
};
export type Row = ReturnType<typeof row>;

/** A list of someone, with what its call sheet does. */
export async function buildCallSheet(db: Db, whose: TestUser, rows: readonly Row[], { sandbox = false } = {}) {
  const listId = await buildListOf(db, whose.id, rows, { sandbox });
  const leads = await readLeads(db, listId);
  const idOf = (name: string) => leads.find((lead) => lead.business_name === name)?.id ?? '';
  const tab = (session = randomUUID(), who = whose) => ({
    open: (more: Omit<BodyOf<typeof callSheetEndpoint>, 'session'> = {}) =>
      who.call(callSheetEndpoint, { session, ...more }, { listId }),
    leave: () => who.call(leaveCallSheetEndpoint, { session }, { listId }),
    begin: (leadId: string, id: string = randomUUID()) => who.call(beginCallEndpoint, { id, leadId, session }),
  });
  const log = (name: string, outcome: CallOutcome, more = {}) =>
    whose.call(logCallEndpoint, { id: randomUUID(), leadId: idOf(name), outcome, ...more });
  return { listId, idOf, tab, log };
}

export const nameOf = (sheet: CallSheet) => (sheet.state === 'lead' ? sheet.lead.businessName : sheet.state);
