import type { RawBuilder } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ApiKey } from '#server/api-keys/api-key.ts';
import type { Deps } from '#server/deps.ts';
import type { Waits } from './departure/waits.ts';
import type { Meanwhile } from './meanwhile.ts';

/** What the ledger and the memory need of a run. */
export type PayContext = {
  deps: Pick<Deps, 'db' | 'vault' | 'providers' | 'websites' | 'queue' | 'notifications' | 'log' | 'metrics'>;
  run: { id: string; userId: string; sandbox: boolean; input: unknown; totals: unknown };
  /** Who works on it, as the lease names them. */
  owner: string;
  key: ApiKey;
  waits: Waits;
  /** Aborts with a RunStopped. Ends waits only: a request that has been sent is always awaited, because it may be paid. */
  signal: AbortSignal;
};

/**
 * What may be done about a call whose outcome is not known, because an answer got lost or the process died:
 * - `repeat`: send it again; the provider does not charge the same subject twice
 * - `next-run`: this run goes without it; when the user starts another run, it is sent again
 * - `never`: no run sends it again until someone has settled it
 */
export type WhenUncertain = 'repeat' | 'next-run' | 'never';

/** One kind of paid call. Its answers are stored as JSON. */
export type Operation<A> = {
  provider: ProviderId;
  name: OperationName;
  /** What one subject costs until the answer says so, in micro-dollars. */
  estimateMicros: number;
  /** Reads a stored answer; undefined when it is in a shape that is no longer known, which counts as not known. */
  readAnswer(stored: unknown): A | undefined;
};

export type OperationName = 'locate' | 'search_page' | 'area_count' | 'domain_search' | 'email_verify' | 'phone_scrub';

/** Google charges every page, Hunter a domain or an email once per billing period, SearchBug every number every time. */
export const WHEN_UNCERTAIN: Readonly<Record<OperationName, WhenUncertain>> = {
  locate: 'next-run',
  search_page: 'next-run',
  area_count: 'next-run',
  domain_search: 'repeat',
  email_verify: 'repeat',
  phone_scrub: 'never',
};

/** The request and the reply that brought answers, for the evidence. One of them may bring several. */
export type Origin = {
  /** Ours, and the provider's where it gives one. */
  request: string;
  providerRequest: string | null;
  askedAt: Date;
  answeredAt: Date;
  /** The reply's body. */
  reply: string;
};

/** What one subject brought. `rememberMs`: how long the answer may be used instead of a new call. */
export type Bought<A> = { answer: A; costMicros: number; rememberMs: number | 'for good'; origin?: Origin };

/** A call that was answered. */
export type SettledCall<A> = Bought<A> & { id: string; subject: string; answeredAt: Date };

/** An answer about a subject. `known`: remembered or shared, not paid for by this run. */
export type Answered<A> = { subject: string; answer: A; callId: string; answeredAt: Date; known: boolean };

export type Outcome<A> = (Answered<A> & { state: 'answered' }) | { state: 'uncertain'; subject: string };

export type PlannedCall = { id: string; subject: string };
export type Plan<A> = {
  /** Calls that are ours to send. */
  calls: PlannedCall[];
  /** The id of their request, if they are booked as sent: it has to leave now, whatever else happens. */
  sent?: string;
  /** Settled by someone else in the last moment. */
  outcomes: Map<string, Outcome<A>>;
  /** Calls that someone else has in flight. */
  others: PlannedCall[];
};

/**
 * What is to be asked about.
 * - `round`: tells a new attempt of the same run on a subject from a repetition by a second process.
 * - `request`: the id of the request that may leave at once. Without one the calls are only planned.
 */
export type Wanted = { subjects: readonly string[]; round: number; request?: string };

export type Purchase<A> = {
  operation: Operation<A>;
  /** What is asked about, in one request. Equal texts are the same subject. */
  subjects: readonly string[];
  /** Which of `subjects` are still to be asked about: looked at before each request, because a call may wait for minutes. All by default. */
  stillWanted?(subjects: readonly string[]): Promise<readonly string[]>;
  /**
   * Sends one request for `subjects`, the part of the above that is not known, and returns an answer for each.
   * Never aborted once it is under way.
   * @throws ProviderError
   */
  send(subjects: readonly string[]): Promise<ReadonlyMap<string, Bought<A>>>;
  /** Returns statements that store what answers bring, in the transaction that books them. Called again for answers stored before. */
  storing?(answered: readonly Answered<A>[]): readonly RawBuilder<unknown>[];
  /** Stores it instead, when that takes more than statements that can be sent together. */
  store?(tx: Tx, answered: readonly Answered<A>[]): Promise<void>;
  /**
   * Returns statements that record what was bought, after its booking in the same transaction.
   * They use `bookedNow`, so that a repeated transaction still records each call once.
   */
  recording?(bought: readonly SettledCall<A>[]): readonly RawBuilder<unknown>[];
  /** Records what was known and used again, in the transaction that stores it, once in a run for each subject. */
  recordReuse?(tx: Tx, reused: readonly Answered<A>[]): Promise<void>;
  /** Returns statements to follow a booking, in the same transaction, once the run has ended. They check that themselves. */
  late?(): readonly RawBuilder<unknown>[];
  /** Which call an answer leads to. It begins in the transaction that settles the answer. */
  next?(bought: ReadonlyMap<string, Bought<A>>): NextCall | undefined;
  /** Stores what an answer brings behind its booking, while the call that it leads to is out. Needs `storing`. */
  meanwhile?: Meanwhile;
  /** The plan of this purchase, if its calls were sent as another's next call. */
  begun?: Plan<A> | undefined;
};

/** A call that may leave at once when the one before it is settled. */
export type NextCall = {
  operation: Operation<unknown>;
  wanted: Wanted;
  /** Nothing begins unless this holds. */
  onlyIf?: RawBuilder<boolean>;
  /** Called with the plan once it was sent. It then has to pay for it next, whatever else happens. */
  take(plan: Plan<never>): void;
};
