import { z } from 'zod/mini';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

export type CallToLog = BodyOf<typeof logCallEndpoint>;
/** `sent`: what the server said. `kept`: it could not be reached, and is asked again. `refused`: it will never take it. */
export type Posted =
  | { state: 'sent'; suppressed: boolean }
  | { state: 'kept'; why: string }
  | { state: 'refused'; why: string };

const keyOf = (userId: string): string => `calls-to-log:${userId}`;
const Stored = z.array(logCallEndpoint.body);

/** Calls of this person that the server has not taken yet, in this browser. */
export function waitingCalls(userId: string): CallToLog[] {
  try {
    const stored = Stored.safeParse(JSON.parse(readStored(keyOf(userId)) ?? '[]'));
    return stored.success ? stored.data : [];
  } catch {
    return [];
  }
}

function store(userId: string, calls: readonly CallToLog[]): void {
  if (calls.length === 0) removeStored(keyOf(userId));
  else writeStored(keyOf(userId), JSON.stringify(calls));
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

async function send(userId: string, call: CallToLog): Promise<Posted> {
  try {
    const { suppressed } = await callApi(logCallEndpoint, { body: call });
    forgetWaiting(userId, call.id);
    return { state: 'sent', suppressed };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'Unknown error';
    if (!isFinal(error)) return { state: 'kept', why };
    forgetWaiting(userId, call.id);
    return { state: 'refused', why };
  }
}

/** Stores a call in this browser, then sends it. The same id is one call, however often it is sent. */
export function post(userId: string, call: CallToLog): Promise<Posted> {
  store(userId, [...waitingCalls(userId).filter(({ id }) => id !== call.id), call]);
  return send(userId, call);
}

/** Sends what waits, one after the other, until one does not get through. Returns why calls were refused for good. */
export async function postWaiting(userId: string): Promise<string[]> {
  const refused: string[] = [];
  for (const call of waitingCalls(userId)) {
    const posted = await send(userId, call);
    if (posted.state === 'kept') break;
    if (posted.state === 'refused') refused.push(posted.why);
  }
  return refused;
}
