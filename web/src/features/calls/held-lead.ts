import { type CallSheet, DIAL_OPEN_MS, type LoggedCall, type SheetLead } from '#contract/calling/calls.ts';
import { formatPhone } from '#web/lib/format/format.ts';
import type { Position } from './api.ts';

/** A lead that a sheet shows. `hasLeft`: it left the list meanwhile, and is shown as it was. */
export type ShownLead = SheetLead & { hasLeft?: boolean };
type GoneSheet = Extract<CallSheet, { state: 'gone' }>;
/** What a sheet shows. A lead that left its list stays until someone goes on. */
export type ShownSheet =
  | Exclude<CallSheet, { state: 'lead' | 'gone' }>
  | (Omit<Extract<CallSheet, { state: 'lead' }>, 'lead'> & { lead: ShownLead });

/** What a lead is asked for by. The call under way goes along, so that no other lead takes its place. */
export const positionOf = ({ id, open }: SheetLead): Position => (open ? { keep: id, call: open.id } : { keep: id });

/** A lead that has left, with its call as the server has it. It can no longer be called. */
const left = (lead: SheetLead, call: LoggedCall | null): ShownLead => ({
  ...lead,
  hasLeft: true,
  mayCall: false,
  isTaken: false,
  calls: call ? [call, ...lead.calls.filter(({ id }) => id !== call.id)] : lead.calls,
  open: call,
  mayDial: false,
});

/** Of a call whose lead is not known here anymore, as after a reload, its number is all that there is to say. */
const unknownLead = ({ id }: LoggedCall, number: string): SheetLead => ({
  id,
  businessName: formatPhone(number),
  phone: number,
  number,
  address: null,
  website: null,
  email: null,
  ownerName: null,
  ownerTitle: null,
  checkedAt: null,
  mayCall: false,
  isTaken: false,
  callability: { verdict: 'unknown', window: { state: 'unknown' }, zones: [], reasons: [], rulesAsOf: '' },
  calls: [],
  open: null,
  mayDial: false,
  dueAt: null,
});

/** Holds the lead that left, and its call. `known`: the lead as it was shown. Undefined where nothing is known of it. */
export function held(
  { number, call, state: _gone, ...sheet }: GoneSheet,
  known: SheetLead | undefined,
): ShownSheet | undefined {
  const lead = known ?? (call && number !== null ? unknownLead(call, number) : undefined);
  return lead && { ...sheet, state: 'lead', lead: left(lead, call) };
}

/** The same where the whole list is gone. `now`: the server's time in ms. */
export const heldWithoutList = (sheet: ShownSheet | undefined, now: number): ShownSheet | undefined =>
  sheet?.state === 'lead'
    ? { ...sheet, at: new Date(now).toISOString(), lead: left(sheet.lead, sheet.lead.open) }
    : undefined;

/** Whether the call under way may still be dialed: the server has said so, and it began a moment ago. `now`: the server's time in ms. */
export const allowsDialing = ({ mayDial, open }: ShownLead, now: number): boolean =>
  mayDial && open !== null && now - Date.parse(open.calledAt) <= DIAL_OPEN_MS;
