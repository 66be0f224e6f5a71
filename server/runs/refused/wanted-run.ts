import type { ProviderId } from '#contract/providers.ts';
import type { ListRunKind } from '#contract/work/runs.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Deps } from '#server/deps.ts';
import type { Ctx } from '#server/http/context.ts';
import type { ListRecord } from '#server/runs/run-context.ts';

/** Who begins work on a list: a person who asks for it, or the server for them. */
export type StartCtx = {
  deps: Pick<Deps, 'db' | 'queue'>;
  user: { userId: string };
  log: Pick<Deps['log'], 'warn'>;
  tellRun?: Ctx['tellRun'];
};

/** Work on a list that someone asks for. */
export type StartRun = {
  kind: ListRunKind;
  listId: string;
  provider: ProviderId;
  /** Whether it can be done without calling the provider. It then needs no key, and the list says what kind of data it is. */
  withoutKey?: boolean;
  /** What the run needs to know, as it is stored. */
  input: Readonly<Record<string, unknown>>;
  /**
   * Whether an open run with this input does the same work, where that is not only so for an equal input.
   * @throws CONFLICT when it cannot be joined.
   */
  isSame?(input: unknown): boolean;
  /** The most that the run is expected to cost, in micro-dollars. It stops before it would cost more than this, or than `maxCost`. */
  estimateMicros(tx: Tx, list: ListRecord, sandbox: boolean): Promise<number>;
  /** Whether no one waits for it, so that every refusal is kept where its owner will look. */
  unattended?: boolean;
  /** The most that its user lets it cost, in US dollars. */
  maxCost: number | undefined;
  /** Whether its user was shown a price in sandbox money, where that is known. */
  quotedSandbox?: boolean | undefined;
};
