import { isDeepStrictEqual } from 'node:util';
import { dollarsToMicros } from '#contract/costs.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { ListRunKind } from '#contract/runs.ts';
import { briefly } from '#db/briefly.ts';
import type { Tx } from '#db/tx.ts';
import { holdToBudgets } from '#server/budgets/hold-to-budgets.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { findKey } from './find-key.ts';
import { insertRun } from './insert-run.ts';
import { MISSING_KEY } from './missing-key.ts';
import { lockActiveUser, lockOwnList } from './rows.ts';
import type { ListRecord } from './run-context.ts';
import { sandboxMismatch } from './sandbox-mismatch.ts';

export type StartRun = {
  kind: ListRunKind;
  listId: string;
  provider: ProviderId;
  /** What the run needs to know, as it is stored. */
  input: Readonly<Record<string, unknown>>;
  /** The most that the run is expected to cost, in micro-dollars. It stops before it would cost more than this, or than `maxCost`. */
  estimateMicros(tx: Tx, list: ListRecord, sandbox: boolean): Promise<number>;
  /** What its user lets it cost at the most, in US dollars. */
  maxCost: number | undefined;
};

/**
 * Makes a run and its announcement in one transaction and answers its id. A run of the same kind that is open on the list is joined:
 * a second press of a button pays nothing. Throws NOT_FOUND, CONFLICT (archived, without leads, or at work on something else of that
 * kind), FORBIDDEN (disabled in this instant), MISSING_API_KEY and SANDBOX_MISMATCH, which leave the list failed, and
 * BUDGET_EXCEEDED, which does so only when the list waits for this work.
 */
export async function startRun({ deps, user }: Ctx, start: StartRun): Promise<string> {
  const outcome = await briefly(deps.db, async (tx): Promise<string | AppError> => {
    await lockActiveUser(tx, user.userId);
    const list = await lockOwnList(tx, user.userId, start.listId);
    if (list.lifecycle_status === 'archived')
      throw new AppError('CONFLICT', 'This list is archived. Restore it before you work on it.');
    const open = await openRuns(tx, list.id);
    const same = open.find((run) => run.kind === start.kind);
    if (same && isDeepStrictEqual(same.input, start.input)) return same.id;
    if (same)
      throw new AppError(
        'CONFLICT',
        'This list is being worked on with another choice of leads. Wait until that has finished, then try again.',
      );
    if (start.kind !== 'search' && list.lead_count === 0 && open.length === 0)
      throw new AppError('CONFLICT', 'This list has no leads yet. Run its search first.');

    const key = await findKey(tx, user.userId, start.provider);
    if (!key) return refuse(tx, list, open.length, new AppError('MISSING_API_KEY', MISSING_KEY[start.provider]));
    if (list.sandbox !== null && list.sandbox !== key.sandbox)
      return refuse(tx, list, open.length, sandboxMismatch(start.provider, list.sandbox));

    const estimateMicros = await start.estimateMicros(tx, list, key.sandbox);
    const boundMicros = Math.min(estimateMicros, dollarsToMicros(start.maxCost ?? Infinity));
    const { provider } = start;
    const refusal = await holdToBudgets(tx, { userId: user.userId, provider, sandbox: key.sandbox, boundMicros });
    if (refusal) return list.status === 'processing' ? refuse(tx, list, open.length, refusal) : refusal;
    // The first run decides for good what kind of data the list holds, before the run refers to it.
    await tx
      .updateTable('lists')
      .set({ status: 'processing', sandbox: key.sandbox })
      .where('id', '=', list.id)
      .execute();
    return insertRun(tx, deps.queue, {
      user_id: user.userId,
      list_id: list.id,
      list_name: list.name,
      kind: start.kind,
      input: JSON.stringify(start.input),
      estimate_micros: estimateMicros,
      bound_micros: boundMicros,
      sandbox: key.sandbox,
    });
  });
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

const openRuns = (tx: Tx, listId: string) =>
  tx
    .selectFrom('app.runs')
    .select(['id', 'kind', 'input'])
    .where('list_id', '=', listId)
    .where('state', 'in', ['queued', 'running'])
    .execute();

/** Answered, not thrown, because throwing would undo what it does to the list. */
async function refuse(tx: Tx, list: ListRecord, openRuns: number, refusal: AppError): Promise<AppError> {
  if (openRuns === 0) await tx.updateTable('lists').set({ status: 'failed' }).where('id', '=', list.id).execute();
  return refusal;
}
