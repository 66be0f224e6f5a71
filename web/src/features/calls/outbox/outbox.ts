import { z } from 'zod/mini';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { isSuppressing } from '#contract/calling/suppressing-outcomes.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { outcomeLabel } from '#web/features/calls/call-words.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { formatMoment } from '#web/lib/format/format.ts';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';
import { outboxKey } from './outbox-key.ts';

/**
 * What this browser knows of a call besides what the log takes. Entries of earlier versions lack it.
 * - `number`: what was called, and what to suppress where the call is refused for good; unset for practice.
 * - `saidAt`: when its outcome was said. `refused`: why the log will never take the call. Then its number is still to be suppressed.
 */
const Known = z.object({
  lead: z.optional(z.object({ name: z.string(), number: z.optional(z.string()) })),
  saidAt: z.optional(z.string()),
  refused: z.optional(z.string()),
});
const Stored = z.intersection(logCallEndpoint.body, Known);
type CallToLog = BodyOf<typeof logCallEndpoint>;
export type WaitingCall = CallToLog & z.infer<typeof Known>;

export type Refused = { state: 'refused'; call: WaitingCall; why: string; suppressed: boolean };
/** `sent`: what the server said. `kept`: it could not be reached, and is asked again. `refused`: it will never take it. */
export type Posted = { state: 'sent'; suppressed: boolean } | { state: 'kept'; why: string } | Refused;

function readAll(userId: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(readStored(outboxKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Calls of this person that the server has not taken yet, in this browser. */
export const waitingCalls = (userId: string): WaitingCall[] =>
  readAll(userId).flatMap((one) => Stored.safeParse(one).data ?? []);

/** What this version cannot read is left to the one that wrote it, such as a tab that was loaded later. */
function store(userId: string, calls: readonly WaitingCall[]): void {
  const all = [...readAll(userId).filter((one) => !Stored.safeParse(one).success), ...calls];
  if (all.length === 0) removeStored(outboxKey(userId));
  else writeStored(outboxKey(userId), JSON.stringify(all));
}

/** Takes a call out again, as after "Undo". Returns whether it was waiting. */
export function forgetWaiting(userId: string, id: string): boolean {
  const calls = waitingCalls(userId);
  const others = calls.filter((one) => one.id !== id);
  store(userId, others);
  return others.length < calls.length;
}

/** Statuses that say nothing of the call: the session has ended, or it is too much at the moment. */
const TRY_LATER: readonly number[] = [401, 403, 408, 429];

const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'http' && error.status < 500 && !TRY_LATER.includes(error.status);

async function send(userId: string, waiting: WaitingCall): Promise<Posted> {
  const { lead, saidAt: _said, refused, ...call } = waiting;
  const body = { ...call, ...(lead?.number === undefined ? {} : { number: lead.number }) };
  if (refused !== undefined) return suppressInstead(userId, waiting, refused);
  try {
    const { suppressed } = await callApi(logCallEndpoint, { body });
    forgetWaiting(userId, waiting.id);
    return { state: 'sent', suppressed };
  } catch (error) {
    const why = errorMessage(error);
    return isFinal(error) ? suppressInstead(userId, waiting, why) : { state: 'kept', why };
  }
}

/** A stop outlives its call: where the log will never take it, its number is suppressed by itself, and waits until that is done. */
async function suppressInstead(userId: string, call: WaitingCall, why: string): Promise<Posted> {
  const done = (suppressed: boolean): Refused => {
    forgetWaiting(userId, call.id);
    return { state: 'refused', call, why, suppressed };
  };
  const { outcome, lead: { number } = {} } = call;
  if (number === undefined || !isSuppressing(outcome)) return done(false);
  const mark = (one: WaitingCall) => (one.id === call.id ? { ...one, refused: why } : one);
  store(userId, waitingCalls(userId).map(mark));
  try {
    const at = saidAtOf(call);
    const said = { outcome, ...(at ? { at } : {}) };
    await callApi(addSuppressionEndpoint, { body: { kind: 'phone', value: number, note: noteOf(call), said } });
    return done(true);
  } catch (error) {
    // It was erased, which holds it back for good.
    if (error instanceof ApiError && error.code === 'CONFLICT') return done(true);
    const reason = errorMessage(error);
    return isFinal(error)
      ? { state: 'refused', call, why: `${why} ${reason}`, suppressed: false }
      : { state: 'kept', why: reason };
  }
}

const saidAtOf = ({ madeAt, saidAt }: WaitingCall): string | undefined => madeAt ?? saidAt;

function noteOf(call: WaitingCall): string {
  const at = saidAtOf(call);
  return `${outcomeLabel(call.outcome)}${at ? `, said on ${formatMoment(at)}` : ''}. The call itself could not be logged.`;
}

const isStored = (userId: string, { id }: WaitingCall): boolean => waitingCalls(userId).some((one) => one.id === id);

/** Stores a call in this browser, then sends it. The same id is one call, however often it is sent. */
export async function post(userId: string, call: WaitingCall): Promise<Posted> {
  store(userId, [...waitingCalls(userId).filter(({ id }) => id !== call.id), call]);
  const isKept = isStored(userId, call);
  const posted = await send(userId, call);
  if (posted.state !== 'kept' || isKept) return posted;
  return { state: 'refused', call, why: `${posted.why} This browser cannot keep it for later.`, suppressed: false };
}

/** Sends what waits, one after the other, until one does not get through. Returns those that were refused for good. */
export async function postWaiting(userId: string): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const call of waitingCalls(userId)) {
    // It was taken out while those before it were sent.
    if (!isStored(userId, call)) continue;
    const posted = await send(userId, call);
    if (posted.state === 'kept') break;
    if (posted.state === 'refused') refused.push(posted);
  }
  return refused;
}
