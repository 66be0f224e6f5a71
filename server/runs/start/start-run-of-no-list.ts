import { sql } from 'kysely';
import { MISSING_KEY } from '#contract/providers.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { holdToBudgets } from '#server/budgets/hold-to-budgets.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { otherKindOfCount, quoteChanged } from '#server/paid-calls/ledger/sandbox-mismatch.ts';
import { lockActiveUser } from '#server/runs/rows.ts';
import { findKey } from './find-key.ts';
import { insertRun } from './insert-run.ts';
import { PLACE_RUNS_KEY } from './place-runs-key.ts';

const PROVIDER = 'google_places';

/** Work with places that fills no list. */
export type RunOfNoList = {
  kind: 'place' | 'survey';
  /** What it is about, as its owner knows it. */
  name: string;
  /** What the run needs to know. Equal inputs are the same work. */
  input: Readonly<Record<string, unknown>>;
  /** The kind of data that it adds to. Undefined where it begins with nothing. */
  sandbox?: boolean;
  /** Whether its user was shown a price in sandbox money, where that is known. */
  quotedSandbox?: boolean | undefined;
  /** The most that it may cost, in micro-dollars. */
  boundMicros(tx: Tx, sandbox: boolean): Promise<number>;
};

/**
 * Makes a run of no list, announces it and returns its id. Joins one that is open for the same: a second press is free.
 * @throws FORBIDDEN (disabled in this instant), MISSING_API_KEY, BUDGET_EXCEEDED
 * @throws QUOTE_CHANGED when it would be other money than was shown.
 * @throws SANDBOX_MISMATCH when the key is of another kind than what the work adds to.
 */
export async function startRunOfNoList(
  { deps, user: { userId } }: { deps: Pick<Deps, 'db' | 'queue'>; user: { userId: string } },
  start: RunOfNoList,
): Promise<string> {
  const { runId, isNew } = await guardedTransaction(deps.db, async (tx) => {
    await lockActiveUser(tx, userId);
    const key = await findKey(tx, userId, PROVIDER);
    if (!key) throw new AppError('MISSING_API_KEY', MISSING_KEY[PROVIDER]);
    if (start.sandbox !== undefined && start.sandbox !== key.sandbox) throw otherKindOfCount(start.sandbox);
    const changed = quoteChanged(PROVIDER, start.quotedSandbox, key.sandbox);
    if (changed) throw changed;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`look-ups ${userId}`}, 0))`.execute(tx);
    const input = JSON.stringify(start.input);
    const { sandbox } = key;
    const open = await tx
      .selectFrom('app.runs')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '=', start.kind)
      .where('state', 'in', ['queued', 'running'])
      .where('cancel_requested_at', 'is', null)
      .where('sandbox', '=', sandbox)
      .where('input', '=', input)
      .executeTakeFirst();
    if (open) return { runId: open.id, isNew: false };
    const boundMicros = await start.boundMicros(tx, sandbox);
    const refusal = await holdToBudgets(tx, { userId, provider: PROVIDER, sandbox, boundMicros });
    if (refusal) throw refusal;
    const run = {
      user_id: userId,
      list_name: start.name,
      list_key: PLACE_RUNS_KEY,
      kind: start.kind,
      input,
      estimate_micros: boundMicros,
      bound_micros: boundMicros,
      sandbox,
    };
    return { runId: await insertRun(tx, deps.queue, run), isNew: true };
  });
  if (isNew) deps.queue.handOver(runId);
  return runId;
}
