import { randomUUID } from 'node:crypto';
import { ProviderError, type ProviderErrorKind } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import type { Steps } from './departure/batched-steps.ts';
import { noteOutcome, passCircuit } from './departure/circuit.ts';
import { takeSlot } from './departure/departures.ts';
import { inPlace } from './departure/key-slots.ts';
import { retryPause } from './departure/retry-pause.ts';
import { type Departure, markFailed, markPlanned, markSent, markUncertain, waitForRoom } from './ledger/mark-calls.ts';
import type { PlannedCall } from './ledger/plan-calls.ts';
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
 * Sends planned calls as one request, again where that costs nothing, and settles them. Subjects that come back without an outcome
 * are no longer planned: somebody else has dealt with them. Throws ProviderError or RunStopped.
 */
export async function sendCalls<A>(
  context: PayContext,
  purchase: Purchase<A>,
  planned: readonly PlannedCall[],
  steps: Steps<A>,
): Promise<Outcome<A>[]> {
  const { deps, waits, signal } = context;
  const { operation } = purchase;
  const { provider } = operation;
  const departure = { calls: planned, batchId: planned.length > 1 ? randomUUID() : null };
  for (let tries = 1; ; tries += 1) {
    // A call that has met the failure itself does not wait for others to see it pass.
    if (tries === 1) await passCircuit(context, provider, steps.askCircuit);
    const { calls, ...outcome } = await sendWithRoom(context, purchase, departure, steps);
    if (calls.length === 0) return [];
    if ('error' in outcome) {
      const { error } = outcome;
      if (error instanceof ProviderError)
        await noteOutcome(context, provider, error.kind === 'transient' ? 'no_answer' : 'answered');
      const failure = describe(error);
      // An answer that came and could not be read was given, and so may have been charged.
      const charged =
        !(error instanceof ProviderError) || error.charge === 'possible' || error.kind === 'unknown_shape';
      if (charged && WHEN_UNCERTAIN[operation.name] !== 'repeat') {
        deps.log.warn({ err: error, calls: calls.length }, 'the answer to a paid call was lost');
        await throughOutage(() => markUncertain(context, calls, failure));
        deps.metrics.callsEnded(provider, 'uncertain', calls.length);
        if (error instanceof ProviderError && STOPS.has(error.kind)) throw error;
        return calls.map(toUncertain);
      }
      const waitMs = error instanceof ProviderError ? retryPause(error, tries) : undefined;
      if (waitMs === undefined) {
        await throughOutage(() => (charged ? markUncertain : markFailed)(context, calls, failure));
        deps.metrics.callsEnded(provider, charged ? 'uncertain' : 'failed', calls.length);
        throw error;
      }
      await throughOutage(() => markPlanned(context, calls, failure, charged));
      const until = new Date(Date.now() + waitMs);
      const reason = error instanceof ProviderError && error.kind === 'transient' ? 'provider_down' : 'limit';
      await waits.during({ reason, until }, () => pause(waitMs, signal));
      continue;
    }
    const { bought } = outcome;
    const answered = await settleCalls(context, purchase, calls, bought, steps.settle);
    const unanswered = calls.filter((call) => !bought.has(call.subject));
    if (unanswered.length > 0) {
      await throughOutage(() => markUncertain(context, unanswered, NO_ANSWER));
      deps.metrics.callsEnded(provider, 'uncertain', unanswered.length);
    }
    return [...answered.map(toOutcome<A>), ...unanswered.map(toUncertain)];
  }
}

type Sent<A> = { calls: PlannedCall[] } & ({ bought: ReadonlyMap<string, Bought<A>> } | { error: unknown });

/** One request, when the run's bound has room for it. While it has none, the places that a key has are for others. */
async function sendWithRoom<A>(
  context: PayContext,
  purchase: Purchase<A>,
  departure: Departure,
  steps: Steps<A>,
): Promise<Sent<A>> {
  for (;;) {
    const sent = await inPlace(context, purchase.operation.provider, steps.takePlace, () =>
      sendOnce(context, purchase, departure, steps),
    );
    if (sent) return sent;
    await waitForRoom(context, departure.calls);
  }
}

/** One request, when it may leave; undefined without room for it. Throws RunStopped; how the request fails is answered. */
async function sendOnce<A>(
  context: PayContext,
  { operation, send }: Purchase<A>,
  departure: Departure,
  steps: Steps<A>,
): Promise<Sent<A> | undefined> {
  await takeSlot(context, operation.provider, steps.grantSlot);
  context.signal.throwIfAborted();
  const calls = await markSent(context, departure, steps.book);
  if (!calls) return undefined;
  if (calls.length === 0) return { calls, bought: new Map() };
  context.waits.moved();
  try {
    return { calls, bought: await send(calls.map((call) => call.subject)) };
  } catch (error) {
    return { calls, error };
  }
}

/** What every further call would meet as well, until its user does something about it. */
const STOPS: ReadonlySet<ProviderErrorKind> = new Set(['bad_credentials', 'bad_configuration', 'out_of_credit']);
const NO_ANSWER = { kind: 'unknown_shape', message: 'The response did not mention this subject.' };

const toOutcome = <A>(answered: Answered<A>): Outcome<A> => ({ state: 'answered', ...answered });
const toUncertain = ({ subject }: PlannedCall) => ({ state: 'uncertain', subject }) as const;

function describe(error: unknown): { kind: string; message: string } {
  if (error instanceof ProviderError) return { kind: error.kind, message: error.message };
  return { kind: 'internal', message: 'Something went wrong on our side while reading the response.' };
}
