import { sql } from 'kysely';
import { dollarsToMicros } from '#contract/money/costs.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockOwnList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { openRuns } from './open-runs.ts';
import type { StartCtx, StartRun } from './wanted-run.ts';

/** Refused work. `run`: the id of the run that keeps it, where one does. */
export type Refused = { refusal: AppError; run?: string };

/** What a run keeps of work that was refused. */
type Work = Pick<StartRun, 'kind' | 'input' | 'maxCost'>;

/**
 * Fails the list of refused work, and keeps the work as a run that failed before it began, so that Retry can repeat it.
 * - A list with open runs stays as it is.
 * - Of a list that holds no data yet, the run has no kind of data: a refusal must not decide it.
 * - What was not priced has no estimate, and what its user lets it cost as its bound.
 * - Returns the refusal, because throwing would undo what this writes.
 */
export async function keepRefusal(
  tx: Tx,
  list: ListRecord,
  start: Work,
  refusal: AppError,
  estimateMicros: number | undefined,
): Promise<Refused> {
  if ((await openRuns(tx, list.id)).length > 0) return { refusal };
  await tx.updateTable('lists').set({ status: 'failed' }).where('id', '=', list.id).execute();
  const { id } = await tx
    .insertInto('app.runs')
    .values({
      user_id: list.user_id,
      list_id: list.id,
      list_name: list.name,
      kind: start.kind,
      state: 'failed',
      input: JSON.stringify(start.input),
      estimate_micros: estimateMicros ?? 0,
      bound_micros: estimateMicros === undefined ? dollarsToMicros(start.maxCost ?? 0) : boundOf(start, estimateMicros),
      error_code: refusal.code,
      error_message: refusal.message,
      sandbox: list.sandbox,
      finished_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { refusal, run: id };
}

/** What a run may spend, in micro-dollars: its estimate, or less where its user has said so. */
export const boundOf = ({ maxCost }: Pick<StartRun, 'maxCost'>, estimateMicros: number): number =>
  Math.min(estimateMicros, dollarsToMicros(maxCost ?? Infinity));

const FAILED_TO_START = 'Something went wrong on our side, so the work did not start. Nothing was charged for it.';

/**
 * Does the same after an unforeseen failure, in a transaction of its own.
 * @throws the failure itself where the database cannot be written either.
 */
export async function keepFailedStart(
  { deps, user, log }: StartCtx,
  start: StartRun,
  failure: unknown,
): Promise<Refused> {
  const refusal = new AppError('INTERNAL', FAILED_TO_START, { cause: failure });
  try {
    return await keepUnpriced({ deps, user }, start, refusal);
  } catch (error) {
    log.warn({ err: error }, 'a failed start could not be kept');
    throw failure;
  }
}

/**
 * Keeps work that was refused before it had a price, in a transaction of its own.
 * @throws NOT_FOUND when the list is gone.
 */
export const keepUnpriced = (
  { deps, user }: Pick<StartCtx, 'deps' | 'user'>,
  start: Work & Pick<StartRun, 'listId'>,
  refusal: AppError,
): Promise<Refused> =>
  guardedTransaction(deps.db, async (tx) => {
    const list = await lockOwnList(tx, user.userId, start.listId);
    return keepRefusal(tx, list, start, refusal, undefined);
  });
