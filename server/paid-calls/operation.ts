import type { ProviderId } from '#contract/providers.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ApiKey } from '#server/api-keys/api-key.ts';
import type { Deps } from '#server/deps.ts';
import type { Waits } from './departure/waits.ts';

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

export type OperationName = 'locate' | 'search_page' | 'area_count' | 'domain_search' | 'phone_scrub';

/** Google charges every page, Hunter a domain once per billing period, SearchBug every number every time. */
export const WHEN_UNCERTAIN: Readonly<Record<OperationName, WhenUncertain>> = {
  locate: 'next-run',
  search_page: 'next-run',
  area_count: 'next-run',
  domain_search: 'repeat',
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

export type Purchase<A> = {
  operation: Operation<A>;
  /** What is asked about, in one request. Equal texts are the same subject. */
  subjects: readonly string[];
  /**
   * Sends one request for `subjects`, the part of the above that is not known, and returns an answer for each.
   * Never aborted once it is under way.
   * @throws ProviderError
   */
  send(subjects: readonly string[]): Promise<ReadonlyMap<string, Bought<A>>>;
  /** Stores what answers bring, in the transaction that books them. Called again for answers that were stored before. */
  store?(tx: Tx, answered: readonly Answered<A>[]): Promise<void>;
  /** Writes down what was bought, in the transaction that books it. Once for each call, however often it is booked. */
  record?(tx: Tx, bought: readonly SettledCall<A>[]): Promise<void>;
  /** Writes down what was known and used again, in the transaction that stores it. Once in a run for each subject. */
  recordReuse?(tx: Tx, reused: readonly Answered<A>[]): Promise<void>;
  /** What follows from booking answers of a run that has ended, in the same transaction. */
  late?(tx: Tx): Promise<void>;
};
