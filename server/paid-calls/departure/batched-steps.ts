import { gather } from '#server/lib/gather.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { beginCalls } from '#server/paid-calls/ledger/begin-calls.ts';
import { bookSent, type Departure } from '#server/paid-calls/ledger/mark-calls.ts';
import { type Settlement, type Settling, settle } from '#server/paid-calls/ledger/settle-calls.ts';
import type { PayContext, Plan, PlannedCall, Wanted } from '#server/paid-calls/operation.ts';
import { askCircuit } from './circuit.ts';
import { takeDepartures } from './departures.ts';
import { takeKeySlots } from './key-slots.ts';

/** The steps that a call takes in the database, in this order. */
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
  /** As `settle`, through an outage of the database. */
  settle(settlement: Settlement<A>): Promise<void>;
};

/**
 * Returns the steps that requests of one run take together. A request that comes while others are at a step waits for the next batch.
 * - `beginsAlone`: each request begins, and leaves, before the next one begins. For those of many calls.
 * - A batch is one statement or transaction. Otherwise each request would hold a connection while it waits for the same locks.
 * - A step does for each request what it does for one alone, in the order in which they came.
 * - A booked call leaves at once. After a crash between two steps, more calls may be in a state, but none in a new one.
 */
export function batchSteps<A>(
  context: Pick<PayContext, 'deps' | 'run' | 'owner' | 'key'>,
  what: Settling<A>,
  { beginsAlone = false }: { beginsAlone?: boolean } = {},
): CallSteps<A> {
  const { operation } = what;
  const { provider } = operation;
  return {
    begin: gather((wanted: readonly Wanted[]) => beginCalls(context, operation, wanted), beginsAlone ? 1 : undefined),
    askCircuit: gather<void, Date | null>((asked) => askCircuit(context, provider, asked.length)),
    takeKeySlot: gather((holders: readonly string[]) => takeKeySlots(context, provider, holders)),
    takeDeparture: gather<void, number>((asked) => takeDepartures(context, provider, asked.length)),
    book: gather((departures: readonly Departure[]) => bookSent(context, departures)),
    settle: gather(async (shares: readonly Settlement<A>[]) => {
      const settled = shares.flatMap((share) => share.settled);
      const next = shares.flatMap((share) => share.next ?? []);
      await throughOutage(() => settle(context, what, { settled, next }));
      return shares.map(() => undefined);
    }),
  };
}
