import { randomUUID } from 'node:crypto';
import { ProviderError, type ProviderErrorKind, type ProviderId, providerNames } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import type { Plan, PlannedCall } from '#server/paid-calls/operation.ts';
import type { CallSteps } from './departure/batched-steps.ts';
import { noteOutcome, passCircuit } from './departure/circuit.ts';
import { awaitDeparture } from './departure/departures.ts';
import { inKeySlot, inTakenSlot } from './departure/key-slots.ts';
import { retryPause } from './departure/retry-pause.ts';
import { dropPlanned } from './ledger/begin-calls.ts';
import {
  areUnread,
  type Departure,
  markFailed,
  markPlanned,
  markSent,
  markUncertain,
  waitForRoom,
} from './ledger/mark-calls.ts';
import { settleCalls } from './ledger/settle-calls.ts';
import {
  type Answered,
  type Bought,
  type Outcome,
  type PayContext,
  type Purchase,
  WHEN_UNCERTAIN,
} from './operation.ts';

/**
 * Sends planned calls as one request, again where that costs nothing, and settles them. Those that are booked as sent leave at once.
 * - A subject without an outcome is no longer planned: someone else has dealt with it.
 * @throws ProviderError, RunStopped
 */
export async function sendCalls<A>(
  context: PayContext,
  purchase: Purchase<A>,
  plan: Pick<Plan<A>, 'calls' | 'sent'>,
  steps: CallSteps<A>,
): Promise<Outcome<A>[]> {
  const { waits, signal } = context;
  const { provider } = purchase.operation;
  const departure = { calls: plan.calls, batchId: plan.calls.length > 1 ? randomUUID() : null };
  for (let tries = 1; ; tries += 1) {
    const booked = tries === 1 ? plan.sent : undefined;
    // A call that has met the failure itself does not wait for others to see it pass.
    if (tries === 1 && !booked) await passCircuit(context, provider, steps.askCircuit);
    const sent = booked
      ? await inTakenSlot(context, provider, booked, () => sendBooked(context, purchase, plan.calls, steps))
      : await sendWithRoom(context, purchase, departure, steps);
    if (sent.state === 'nothing to send') return [];
    if (sent.state === 'answered') return settleAnswers(context, purchase, sent, steps);
    const next = await handleFailure(context, purchase, sent, tries);
    if (next.state === 'uncertain') return sent.calls.map(toUncertain);
    const { waitMs, reason } = next;
    const until = new Date(Date.now() + waitMs);
    await waits.during({ reason, until }, () => pause(waitMs, signal));
  }
}

/** Settles what was answered; a subject that the answer does not name stays uncertain. */
async function settleAnswers<A>(
  context: PayContext,
  purchase: Purchase<A>,
  { calls, bought }: Extract<Sent<A>, { state: 'answered' }>,
  steps: CallSteps<A>,
): Promise<Outcome<A>[]> {
  const answered = await settleCalls(context, purchase, calls, bought, steps.settle);
  const unanswered = calls.filter((call) => !bought.has(call.subject));
  if (unanswered.length > 0) {
    await throughOutage(() => markUncertain(context, unanswered, NO_ANSWER));
    context.deps.metrics.callsEnded(purchase.operation.provider, 'uncertain', unanswered.length);
    if (answered.length === 0) await stopUnread(context, purchase.operation.provider);
  }
  return [...answered.map(toOutcome<A>), ...unanswered.map(toUncertain)];
}

type AfterFailure = { state: 'uncertain' } | { state: 'again'; waitMs: number; reason: 'provider_down' | 'limit' };

/**
 * Records a failure and returns how its calls go on.
 * @throws the failure when they do not.
 */
async function handleFailure<A>(
  context: PayContext,
  { operation }: Purchase<A>,
  { calls, error }: Extract<Sent<A>, { state: 'failed' }>,
  tries: number,
): Promise<AfterFailure> {
  const { deps } = context;
  const { provider } = operation;
  const known = error instanceof ProviderError ? error : undefined;
  if (known) await noteOutcome(context, provider, known.kind === 'transient' ? 'no_answer' : 'answered');
  const failure = describe(error);
  // An answer that came and could not be read was given, and so may have been charged.
  const charged = !known || known.charge === 'possible' || known.kind === 'unknown_shape';
  if (charged && WHEN_UNCERTAIN[operation.name] !== 'repeat') {
    deps.log.warn({ err: error, calls: calls.length }, 'the answer to a paid call was lost');
    await throughOutage(() => markUncertain(context, calls, failure));
    deps.metrics.callsEnded(provider, 'uncertain', calls.length);
    if (known && STOPS.has(known.kind)) throw error;
    if (known?.kind === 'unknown_shape') await stopUnread(context, provider);
    return { state: 'uncertain' };
  }
  const waitMs = known && retryPause(known, tries);
  if (waitMs === undefined) {
    await throughOutage(() => (charged ? markUncertain : markFailed)(context, calls, failure));
    deps.metrics.callsEnded(provider, charged ? 'uncertain' : 'failed', calls.length);
    throw error;
  }
  await throughOutage(() => markPlanned(context, calls, failure, charged));
  return { state: 'again', waitMs, reason: known?.kind === 'transient' ? 'provider_down' : 'limit' };
}

/**
 * Stops a run that pays for answers which no one can read: the next ones would be no better.
 * @throws ProviderError
 */
async function stopUnread({ deps, run }: PayContext, provider: ProviderId): Promise<void> {
  if (!(await throughOutage(() => areUnread(deps.db, run.id, MOST_UNREAD)))) return;
  throw new ProviderError(
    provider,
    'unknown_shape',
    `The last ${MOST_UNREAD} responses from ${providerNames[provider]} could not be read, so this stopped. They may have been charged. Try again later.`,
    { charge: 'possible' },
  );
}

type Sent<A> =
  | { state: 'nothing to send' }
  | { state: 'answered'; calls: PlannedCall[]; bought: ReadonlyMap<string, Bought<A>> }
  | { state: 'failed'; calls: PlannedCall[]; error: unknown };

/** Sends one request once the run's bound has room for it. Until then the slots of its key are free for others. */
async function sendWithRoom<A>(
  context: PayContext,
  purchase: Purchase<A>,
  departure: Departure,
  steps: CallSteps<A>,
): Promise<Sent<A>> {
  for (;;) {
    const sent = await inKeySlot(context, purchase.operation.provider, steps.takeKeySlot, () =>
      sendOnce(context, purchase, departure, steps),
    );
    if (sent) return sent;
    await waitForRoom(context, departure.calls);
  }
}

/**
 * Sends one request when it may leave. Returns its answer or failure, or undefined while the bound has no room for it.
 * @throws RunStopped
 */
async function sendOnce<A>(
  context: PayContext,
  purchase: Purchase<A>,
  departure: Departure,
  steps: CallSteps<A>,
): Promise<Sent<A> | undefined> {
  await awaitDeparture(context, purchase.operation.provider, steps.takeDeparture);
  context.signal.throwIfAborted();
  const wanted = await stillWanted(context, purchase, departure.calls);
  if (wanted.length === 0) return { state: 'nothing to send' };
  const calls = await markSent(context, { ...departure, calls: wanted }, steps.book);
  if (!calls) return undefined;
  if (calls.length === 0) return { state: 'nothing to send' };
  return sendBooked(context, purchase, calls, steps);
}

/** The calls that are still to be sent. The others are planned no longer: someone may have been suppressed while they waited. */
async function stillWanted<A>(
  { deps }: PayContext,
  purchase: Purchase<A>,
  calls: readonly PlannedCall[],
): Promise<readonly PlannedCall[]> {
  if (!purchase.stillWanted) return calls;
  const subjects = new Set(await purchase.stillWanted(calls.map(({ subject }) => subject)));
  const needless = calls.filter(({ subject }) => !subjects.has(subject));
  if (needless.length > 0) await dropPlanned(deps.db, needless);
  return calls.filter(({ subject }) => subjects.has(subject));
}

async function sendBooked<A>(
  { waits }: PayContext,
  { send }: Purchase<A>,
  calls: PlannedCall[],
  steps: CallSteps<A>,
): Promise<Exclude<Sent<A>, { state: 'nothing to send' }>> {
  waits.moved();
  try {
    return { state: 'answered', calls, bought: await steps.send(() => send(calls.map((call) => call.subject))) };
  } catch (error) {
    return { state: 'failed', calls, error };
  }
}

/** What every further call would meet as well, until its user does something about it. */
const STOPS: ReadonlySet<ProviderErrorKind> = new Set(['bad_credentials', 'bad_configuration', 'out_of_credit']);
/** After so many requests in a row whose answers could not be read, a run sends no more. */
const MOST_UNREAD = 5;
const NO_ANSWER = { kind: 'unknown_shape', message: 'The response did not mention this subject.' };

const toOutcome = <A>(answered: Answered<A>): Outcome<A> => ({ state: 'answered', ...answered });
const toUncertain = ({ subject }: PlannedCall) => ({ state: 'uncertain', subject }) as const;

function describe(error: unknown): { kind: string; message: string } {
  if (error instanceof ProviderError) return { kind: error.kind, message: error.message };
  return { kind: 'internal', message: 'Something went wrong on our side while reading the response.' };
}
