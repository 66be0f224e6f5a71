import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { dollarsToMicros } from '#contract/money/costs.ts';
import { MISSING_KEY } from '#contract/providers.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { holdToBudgets } from '#server/budgets/hold-to-budgets.ts';
import { AppError } from '#server/lib/app-error.ts';
import { quoteChanged, sandboxMismatch } from '#server/paid-calls/ledger/sandbox-mismatch.ts';
import { boundOf, keepFailedStart, keepRefusal, type Refused } from '#server/runs/refused/keep-refusal.ts';
import type { StartCtx, StartRun } from '#server/runs/refused/wanted-run.ts';
import { insertRun } from './insert-run.ts';
import { lockAndLook } from './lock-and-look.ts';

/**
 * Makes a run, announces it in the same transaction and returns its id.
 * An open run of the same kind on the list is joined: a second press is free. Its `maxCost` can only make the run cheaper.
 * One that is being canceled is not joined: the new run waits until it has ended.
 * @throws NOT_FOUND, FORBIDDEN (disabled in this instant)
 * @throws CONFLICT (archived, without leads, or at work on something else of that kind)
 * @throws MISSING_API_KEY and SANDBOX_MISMATCH, which fail the list and keep the refused work as a failed run
 * @throws BUDGET_EXCEEDED and QUOTE_CHANGED, which do so only when the list waits for this work, or no person does
 * @throws INTERNAL, which does so as far as the database can be written
 */
export async function startRun(ctx: StartCtx, start: StartRun): Promise<string> {
  const outcome = await guardedTransaction(ctx.deps.db, (tx) => insertOrRefuse(tx, ctx, start)).catch(
    (error: unknown) => {
      if (error instanceof AppError || isDatabaseGone(error)) throw error;
      return keepFailedStart(ctx, start, error);
    },
  );
  if ('started' in outcome) {
    // Sooner than the announcement comes back to this process.
    ctx.deps.queue.handOver(outcome.started);
    return outcome.started;
  }
  if ('joined' in outcome) return outcome.joined;
  if (outcome.run !== undefined) ctx.tellRun?.(outcome.run);
  throw outcome.refusal;
}

/** The id of a run that is new, or of one that was under way. */
type Begun = { started: string } | { joined: string };

async function insertOrRefuse(tx: Tx, { deps, user }: StartCtx, start: StartRun): Promise<Begun | Refused> {
  const { provider, withoutKey = false } = start;
  const { list, standing } = await lockAndLook(tx, user.userId, start.listId, provider);
  if (list.lifecycle_status === 'archived')
    throw new AppError('CONFLICT', 'This list is archived. Restore it before you work on it.');
  const { beingFilled, open, keySandbox, limits } = standing;
  if (beingFilled)
    throw new AppError('CONFLICT', 'This list is still being filled from your file. Wait until that is done.');
  const same = open.find((run) => run.kind === start.kind && !run.canceling);
  if (same && (start.isSame?.(same.input) ?? isDeepStrictEqual(same.input, start.input))) {
    if (start.maxCost !== undefined) await narrowBound(tx, same.id, dollarsToMicros(start.maxCost));
    return { joined: same.id };
  }
  if (same)
    throw new AppError(
      'CONFLICT',
      'A run with a different choice of leads is working on this list. Wait until it ends, then try again.',
    );
  if (start.kind !== 'search' && list.lead_count === 0 && open.length === 0)
    throw new AppError('CONFLICT', 'This list has no leads yet. Run its search first.');

  const sandbox = (withoutKey ? list.sandbox : undefined) ?? keySandbox ?? list.sandbox ?? false;
  const estimateMicros = await start.estimateMicros(tx, list, sandbox);
  const refuse = (refusal: AppError) => keepRefusal(tx, list, start, refusal, estimateMicros);
  if (keySandbox === null && !withoutKey) return refuse(new AppError('MISSING_API_KEY', MISSING_KEY[provider]));
  if (list.sandbox !== null && list.sandbox !== sandbox) return refuse(sandboxMismatch(provider, list.sandbox));

  const boundMicros = boundOf(start, estimateMicros);
  const refusal =
    quoteChanged(provider, start.quotedSandbox, sandbox) ??
    (await holdToBudgets(tx, { userId: user.userId, provider, sandbox, boundMicros }, limits));
  if (refusal) return list.status === 'processing' || start.unattended ? refuse(refusal) : { refusal };
  // The first run decides for good what kind of data the list holds, before the run refers to it.
  const deciding = sql`update public.lists set status = 'processing', sandbox = ${sandbox} where id = ${list.id}`;
  const run = {
    user_id: user.userId,
    list_id: list.id,
    list_name: list.name,
    kind: start.kind,
    input: JSON.stringify(start.input),
    estimate_micros: estimateMicros,
    bound_micros: boundMicros,
    sandbox,
  };
  return { started: await insertRun(tx, deps.queue, run, [deciding]) };
}

/** Lowers a run's bound, so that it costs at most `maxMicros` from now on. A higher limit changes nothing. */
async function narrowBound(tx: Tx, runId: string, maxMicros: number): Promise<void> {
  // Locked before it is added up: nothing is booked in between.
  await sql`select from app.runs where id = ${runId} for no key update`.execute(tx);
  await sql`
    update app.runs as run
    set bound_micros = least(bound_micros, ${maxMicros}::bigint +
      (select coalesce(sum(cost_micros), 0)::bigint from app.ledger_days where run_id = run.id))
    where id = ${runId}
  `.execute(tx);
}
