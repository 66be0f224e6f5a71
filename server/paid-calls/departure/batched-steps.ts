import { setImmediate as immediate } from 'node:timers/promises';
import { gather } from '#server/lib/gather.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { beginCalls } from '#server/paid-calls/ledger/begin-calls.ts';
import { bookSent, type Departure } from '#server/paid-calls/ledger/mark-calls.ts';
import { type Settlement, type Settling, settle } from '#server/paid-calls/ledger/settle-calls.ts';
import type { PayContext, Plan, PlannedCall, Wanted } from '#server/paid-calls/operation.ts';
import { askCircuit } from './circuit.ts';
import { takeDepartures } from './departures.ts';
import { takeKeySlots } from './key-slots.ts';

/** How long an answer waits at most for those of requests that left with its own, in ms. Settled together, they cost little more than one. */
const TOGETHER_MS = 4;

/** The steps that a call takes, in this order. */
export type CallSteps<A> = {
  /** As `beginCalls`, for one. What it has sent needs none of the next four. */
  begin(wanted: Wanted): Promise<Plan<A>>;
  /** As `askCircuit`: null, or when to ask again. */
  askCircuit(): Promise<Date | null>;
  /** As `takeKeySlots`, for one. */
  takeKeySlot(holder: string): Promise<boolean>;
  /** As `takeDeparture`: the ms until its departure. */
  takeDeparture(): Promise<number>;
  /** As `bookSent`, for one. */
  book(departure: Departure): Promise<PlannedCall[]>;
  /** Sends a request, and returns what it brings. */
  send<T>(request: () => Promise<T>): Promise<T>;
  /** As `settle`, through an outage of the database. */
  settle(settlement: Settlement<A>): Promise<void>;
};

/**
 * Returns the steps that requests of one run take together. A request that comes while others are at a step waits for the next batch.
 * - A batch is one statement or transaction. Otherwise each request would hold a connection while it waits for the same locks.
 * - A step does for each request what it does for one alone, in the order in which they came.
 * - A booked call leaves at once. After a crash between two steps, more calls may be in a state, but none in a new one.
 */
export function batchSteps<A>(
  context: Pick<PayContext, 'deps' | 'run' | 'owner' | 'key'>,
  what: Settling<A>,
): CallSteps<A> {
  const { operation } = what;
  const { provider } = operation;
  /** Requests that were sent and have brought nothing yet. */
  let out = 0;
  let allAreIn = () => {};
  const untilAllAreIn = async () => {
    if (out === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    allAreIn = resolve;
    const timer = setTimeout(resolve, TOGETHER_MS);
    await promise;
    clearTimeout(timer);
    // The last one is yet to say what it brought.
    await immediate();
  };
  return {
    begin: gather((wanted: readonly Wanted[]) => beginCalls(context, operation, wanted)),
    askCircuit: gather<void, Date | null>((asked) => askCircuit(context, provider, asked.length)),
    takeKeySlot: gather((holders: readonly string[]) => takeKeySlots(context, provider, holders)),
    takeDeparture: gather<void, number>((asked) => takeDepartures(context, provider, asked.length)),
    book: gather((departures: readonly Departure[]) => bookSent(context, departures)),
    async send(request) {
      out += 1;
      try {
        return await request();
      } finally {
        out -= 1;
        if (out === 0) allAreIn();
      }
    },
    settle: gather(
      async (shares: readonly Settlement<A>[]) => {
        const settled = shares.flatMap((share) => share.settled);
        const next = shares.flatMap((share) => share.next ?? []);
        await throughOutage(() => settle(context, what, { settled, next }));
        return shares.map(() => undefined);
      },
      { before: untilAllAreIn },
    ),
  };
}
