import type { RawBuilder, Selectable, Updateable } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { ListRunKind, RunKind } from '#contract/work/runs.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';

/** What runs need from outside. */
export type RunDeps = PayContext['deps'];

export type RunRow = Selectable<DB['app.runs']>;
export type ListRecord = Selectable<DB['lists']>;
type ListUpdate = Omit<Updateable<DB['lists']>, 'compliance_cost_micros'> & {
  compliance_cost_micros?: RawBuilder<number>;
};

/** A run that this process holds, while it works on it. */
export type RunContext = PayContext;

/** The same of a run that works on a list. */
export type ListRunContext = RunContext & { run: { listId: string } };

/** How a run ended. */
type RunEnd = 'completed' | 'failed' | 'cancelled';

/** The same while no key of a provider has been opened. */
export type KeylessContext<Context> = Omit<Context, 'key'>;

/** One kind of run: what it does. */
export type KindDefinition<Context = RunContext> = {
  provider: ProviderId;
  /** Stores what the run has paid for and not stored yet, before it ends as canceled. Asks no provider. */
  keepPaid?(context: KeylessContext<Context>): Promise<void>;
  /**
   * Does the work, from the start or from where a crash left it. Returns what completing the run takes, if anything.
   * @throws AppError, ProviderError or RunStopped.
   */
  execute(context: Context): Promise<Completion | undefined>;
  /** The part of such work that calls no provider and needs no key: how a run's input tells, and how it is done. */
  withoutKey?: {
    isEnoughFor(input: unknown): boolean;
    execute(context: KeylessContext<Context>): Promise<Completion | undefined>;
  };
};
/**
 * What completing a run takes.
 * - `totals`: written with its end.
 * - `afterwards`: work that nothing waits for. `stopping` aborts when this process stops. An error in it is logged and changes nothing.
 */
export type Completion = {
  totals?: Readonly<Record<string, number>>;
  afterwards?: (stopping: AbortSignal) => Promise<void>;
};
/** One kind of work on lists, with what it leaves there. */
export type ListKindDefinition = KindDefinition<ListRunContext> & {
  /** Columns of the list to set when a run ends, besides its status; in the transaction that ends it. */
  listAfter(tx: Tx, list: ListRecord, end: RunEnd, input: unknown): Promise<ListUpdate>;
};
export type Kinds = Readonly<
  Record<ListRunKind, ListKindDefinition> & Record<Exclude<RunKind, ListRunKind>, KindDefinition>
>;
