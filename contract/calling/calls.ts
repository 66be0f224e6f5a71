import { z } from 'zod/mini';
import { isoTime } from '#contract/dates.ts';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { CALL_VERDICTS } from './call-verdicts.ts';
import { Callability } from './callability.ts';

const CALL_OUTCOMES = ['reached', 'no_answer', 'voicemail', 'call_back', 'wrong_number', 'do_not_call'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const MOST_NOTE = 1_000;
/** How long an outcome can be changed or taken back, in ms. */
export const OUTCOME_OPEN_MS = 10 * 60_000;
/** How long a call may be under way, in ms. Until then it can be withdrawn; afterwards it can still be said how it ended. */
export const CALL_OPEN_MS = 12 * 3_600_000;
/** How long after its beginning a call may be dialed, in ms: it counts from then, and a later dial would slip out of a cap too soon. */
export const DIAL_OPEN_MS = 5 * 60_000;
/** How long a sheet keeps a lead to itself without asking again, in ms. */
export const SHEET_LEASE_MS = 120_000;
/** How late a call that was made offline may be logged, in ms. */
export const LATEST_LOG_MS = 7 * 86_400_000;
/** Leads that a sheet says it has passed over, at most. Those of longer ago come round again. */
export const MOST_PASSED = 200;
/** How far ahead a time to call back may be, in ms. */
export const LATEST_CALL_BACK_MS = 366 * 86_400_000;

const id = z.uuid('This is not the id of a call.');
const session = z.uuid('This is not the id of a call sheet.');
const time = (name: string) => isoTime(`${name} must be a time such as 2026-11-24T15:00:00Z.`);

/**
 * A call to a number. Times are ISO.
 * - `verdict`: what was said of the lead when it began. Anything but callable: it was made all the same.
 * - `outcome`: null while it goes on, or where no one said.
 * - `isOwn`: false for calls of others here, whose notes are theirs.
 */
export const LoggedCall = z.object({
  id: z.string(),
  calledAt: z.string(),
  verdict: z.enum(CALL_VERDICTS),
  outcome: z.nullable(z.enum(CALL_OUTCOMES)),
  outcomeAt: z.nullable(z.string()),
  callBackAt: z.nullable(z.string()),
  note: z.nullable(z.string()),
  isOwn: z.boolean(),
});
export type LoggedCall = z.infer<typeof LoggedCall>;

/** Calls to the number of one of the caller's leads, by everyone here, the newest first. */
export const leadCallsEndpoint = endpoint({
  method: 'GET',
  path: '/api/leads/:id/calls',
  query: z.object({ id: looseId }),
  data: z.object({ calls: z.array(LoggedCall) }),
});

/**
 * Begins a call to one of the caller's leads, which counts from now on. The id is the page's: sent twice, it is one call.
 * Refused where the lead may not be called at this moment, and then `callability` says why.
 * - `mayDial`: nothing speaks against dialing now. Of a call that began before, that may have changed: the number is judged again, and
 *   after some minutes another call must begin.
 */
export const beginCallEndpoint = endpoint({
  method: 'POST',
  path: '/api/calls/begin',
  body: z.object({ id, leadId: looseId, session }),
  data: z.discriminatedUnion('state', [
    z.object({ state: z.literal('begun'), call: LoggedCall, mayDial: z._default(z.boolean(), false) }),
    z.object({ state: z.literal('refused'), callability: Callability }),
  ]),
});

/**
 * Says how a call ended, or says it otherwise within ten minutes. A call that was not begun here is logged as well, whatever the
 * rules said.
 * - `number`: what was called, in E.164. By it a call is logged whose lead has left the list meanwhile, and no call to another number.
 * - `madeAt`: when it was made, where it is logged later. `suppressed`: the number is now held back for everyone.
 */
export const logCallEndpoint = endpoint({
  method: 'POST',
  path: '/api/calls',
  body: z
    .object({
      id,
      leadId: looseId,
      number: z.optional(
        z.string().check(z.regex(/^\+\d{5,18}$/, 'number must be a phone number such as +12175550101.')),
      ),
      outcome: z.enum(CALL_OUTCOMES),
      note: z.optional(z.string().check(z.trim(), z.maxLength(MOST_NOTE, 'A note has at most 1,000 characters.'))),
      callBackAt: z.optional(time('callBackAt')),
      madeAt: z.optional(time('madeAt')),
    })
    .check(
      z.refine(({ outcome, callBackAt }) => (outcome === 'call_back') === (callBackAt !== undefined), {
        error: 'Say when to call back.',
        path: ['callBackAt'],
      }),
    ),
  data: z.object({ call: LoggedCall, suppressed: z.boolean() }),
});

/**
 * Takes back the outcome of a call, within ten minutes, or the call itself where none was made and it has no outcome.
 * `stillSuppressed`: what the outcome has suppressed stays so, until an administrator lets it go.
 */
export const takeBackCallEndpoint = endpoint({
  method: 'POST',
  path: '/api/calls/:id/take-back',
  query: z.object({ id }),
  body: z.object({ what: z.enum(['outcome', 'call']) }),
  data: z.object({ call: LoggedCall, stillSuppressed: z.boolean() }),
});

/**
 * - `left`: may be called at some time, and was not yet. `callBacks`: to be called again.
 * - `open`: called last without an outcome. `unchecked`: no valid check against the lists.
 */
const SheetCounts = z.object({
  left: z.number(),
  done: z.number(),
  callBacks: z.number(),
  open: z.number(),
  unchecked: z.number(),
});
export type SheetCounts = z.infer<typeof SheetCounts>;

/** The same of a lead on a sheet. `callFrom`, `callTo`: the next time for a call, unset where nothing says that it may be called. */
const SheetCallability = z.extend(Callability, {
  callFrom: z.optional(z.string()),
  callTo: z.optional(z.string()),
});
export type SheetCallability = z.infer<typeof SheetCallability>;

/**
 * A lead to call. `number` as E.164. `checkedAt`: when it was last checked against the lists.
 * - `mayCall`: a call may begin now. In a sandbox list, as practice only.
 * - `isTaken`: it is open on another sheet by now, or in a call of someone else.
 * - `open`: the caller's own call to it that is under way. `mayDial`: it may be dialed now, which a cap counts already.
 * - `dueAt`: when it was to be called back.
 */
const SheetLead = z.object({
  id: z.string(),
  businessName: z.string(),
  phone: z.string(),
  number: z.string(),
  address: z.nullable(z.string()),
  website: z.nullable(z.string()),
  email: z.nullable(z.string()),
  ownerName: z.nullable(z.string()),
  ownerTitle: z.nullable(z.string()),
  checkedAt: z.nullable(z.string()),
  mayCall: z.boolean(),
  isTaken: z.boolean(),
  callability: SheetCallability,
  calls: z.array(LoggedCall),
  open: z.nullable(LoggedCall),
  mayDial: z._default(z.boolean(), false),
  dueAt: z.nullable(z.string()),
});
export type SheetLead = z.infer<typeof SheetLead>;

const SHEET = { at: z.string(), practice: z.boolean(), counts: SheetCounts };

/**
 * What a call sheet shows. `at`: the server's time, by which it was judged.
 * - `waiting`: none may be called now, or all that is left are calls without an outcome on other sheets. `nextAt`: when the first may be, call-backs included, where that is known. `held`: the others by verdict.
 * - `gone`: the lead that it showed left the list, or one did during the caller's own `call` to `number`, which waits for its outcome.
 * - `done`: all were called. `empty`: there is nothing to call.
 */
const CallSheet = z.discriminatedUnion('state', [
  z.object({ state: z.literal('lead'), lead: SheetLead, ...SHEET }),
  z.object({
    state: z.literal('waiting'),
    nextAt: z.nullable(z.string()),
    held: z.record(z.enum(CALL_VERDICTS), z.number()),
    inUse: z.number(),
    ...SHEET,
  }),
  z.object({ state: z.literal('gone'), number: z.nullable(z.string()), call: z.nullable(LoggedCall), ...SHEET }),
  z.object({ state: z.literal('done'), ...SHEET }),
  z.object({ state: z.literal('empty'), ...SHEET }),
]);
export type CallSheet = z.infer<typeof CallSheet>;

/**
 * The lead to call next, kept for this sheet for two minutes, or the same lead again, judged again.
 * - `keep`: the lead that the sheet shows. `call`: the call to it that is under way. No other lead is handed out meanwhile.
 * - `after`: the lead that it showed, which goes behind the others. `passed`: those that were passed over before, the last one last.
 */
export const callSheetEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/call-sheet',
  query: z.object({ listId: looseId }),
  body: z.object({
    session,
    keep: z.optional(looseId),
    call: z.optional(id),
    after: z.optional(looseId),
    passed: z.optional(z.array(looseId).check(z.maxLength(MOST_PASSED, 'Name at most 200 leads.'))),
  }),
  data: CallSheet,
});

/** Lets go of the lead that a sheet shows. */
export const leaveCallSheetEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/call-sheet/leave',
  query: z.object({ listId: looseId }),
  body: z.object({ session }),
  data: z.object({ left: z.boolean() }),
});
