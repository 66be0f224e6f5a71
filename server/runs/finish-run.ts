import { sql } from 'kysely';
import type { ErrorCode } from '#contract/errors.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { endCalls } from '#server/paid-calls/ledger/end-calls.ts';
import { lockList } from './rows.ts';
import type { Kinds, RunDeps } from './run-context.ts';
import { RunKind } from './run-kind.ts';

export type RunFailure = { code: ErrorCode; message: string };
/** `failure` of a cancelled run: why it was not its user who stopped it. */
export type RunOutcome =
  | { end: 'completed' }
  | { end: 'failed'; failure: RunFailure }
  | { end: 'cancelled'; failure?: RunFailure };

/**
 * Ends a run, with its list, in one transaction. Returns false when it had ended already or has gone to another process.
 * - What was never sent is dropped; what was sent and not answered is uncertain.
 * - The list gets its status, its next run starts, and anyone who waits hears of it.
 * - `owner`: ends the run only while it holds the lease.
 */
export async function finishRun(
  deps: Pick<RunDeps, 'db' | 'queue' | 'metrics'>,
  kinds: Kinds,
  run: { id: string; owner?: string },
  outcome: RunOutcome,
): Promise<boolean> {
  const ended = await guardedTransaction(deps.db, async (tx) => {
    const before = await tx
      .selectFrom('app.runs')
      .select(['list_id', 'kind', 'input'])
      .where('id', '=', run.id)
      .executeTakeFirst();
    const list = before?.list_id ? await lockList(tx, before.list_id) : undefined;
    const failure = outcome.end === 'completed' ? undefined : outcome.failure;
    let ending = tx
      .updateTable('app.runs')
      .set({
        state: outcome.end,
        error_code: failure?.code ?? null,
        error_message: failure?.message ?? null,
        finished_at: sql`now()`,
        progressed_at: sql`now()`,
        lease_owner: null,
        lease_expires_at: null,
        waiting_reason: null,
        waiting_until: null,
      })
      .where('id', '=', run.id)
      .where('state', 'in', ['queued', 'running']);
    if (run.owner) ending = ending.where('lease_owner', '=', run.owner);
    const told = sql`pg_notify('run_ended', id::text)`.as('told');
    if (!before || !(await ending.returning(told).executeTakeFirst())) return undefined;
    await endCalls(tx, run.id);
    if (list) {
      const next = await tx
        .selectFrom('app.runs')
        .select('id')
        .where('list_id', '=', list.id)
        .where('state', '=', 'queued')
        .orderBy('created_at')
        .executeTakeFirst();
      if (next) await deps.queue.announceRun(tx, next.id);
      const kind = RunKind.parse(before.kind);
      const changes =
        kind === 'place' || kind === 'survey' ? {} : await kinds[kind].listAfter(tx, list, outcome.end, before.input);
      await tx
        .updateTable('lists')
        .set({ ...changes, status: next ? 'processing' : statusAfter(outcome.end, list.lead_count) })
        .where('id', '=', list.id)
        .execute();
    }
    return before.kind;
  });
  if (ended) deps.metrics.runEnded(ended, outcome.end);
  return ended !== undefined;
}

function statusAfter(end: RunOutcome['end'], leadCount: number): 'completed' | 'failed' {
  if (end === 'cancelled') return leadCount > 0 ? 'completed' : 'failed';
  return end;
}
