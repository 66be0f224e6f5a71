import { sql } from 'kysely';
import type { ErrorCode } from '#contract/errors.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { together, togetherAtLast } from '#db/connection/together.ts';
import { endingCalls } from '#server/paid-calls/ledger/end-calls.ts';
import { lockingListOf } from './rows.ts';
import type { Completion, Kinds, RunDeps } from './run-context.ts';
import { RunKind } from './run-kind.ts';

export type RunFailure = { code: ErrorCode; message: string };
/**
 * How a run ended.
 * - `totals`: its last ones, as far as they are not written yet.
 * - `failure` of a cancelled run: why it stopped, when its user did not stop it.
 */
export type RunOutcome =
  | { end: 'completed'; totals?: Completion['totals'] }
  | { end: 'failed'; failure: RunFailure }
  | { end: 'cancelled'; failure?: RunFailure };

/**
 * Ends a run, with its list, in one transaction. Returns undefined when it had ended already or has gone to another process.
 * - What was never sent is dropped; what was sent and not answered is uncertain.
 * - The list gets its status, its next run starts, and anyone who waits hears of it.
 * - `owner`: ends the run only while it holds the lease.
 */
export async function finishRun(
  deps: Pick<RunDeps, 'db' | 'queue' | 'metrics'>,
  kinds: Kinds,
  run: { id: string; owner?: string },
  outcome: RunOutcome,
): Promise<{ othersWait: boolean } | undefined> {
  const ended = await guardedTransaction(deps.db, async (tx) => {
    const failure = outcome.end === 'completed' ? undefined : outcome.failure;
    const totals = outcome.end === 'completed' ? outcome.totals : undefined;
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
        ...(totals ? { totals: sql`totals || ${JSON.stringify(totals)}::jsonb` } : {}),
      })
      .where('id', '=', run.id)
      .where('state', 'in', ['queued', 'running']);
    if (run.owner) ending = ending.where('lease_owner', '=', run.owner);
    const told = sql`pg_notify('run_ended', id::text)`.as('told');
    const next = sql<string | null>`(
      select other.id from app.runs as other
      where other.list_id = runs.list_id and other.state = 'queued' and other.id <> runs.id order by other.created_at limit 1
    )`;
    // Each of them sees what those before it have found under their locks.
    const [[list], [ended]] = await together(tx, [
      lockingListOf(tx, run.id),
      ending
        .returning(['kind', 'input', told, next.as('next'), othersWait.as('others_wait')])
        .modifyEnd(KEPT)
        .compile(),
      endingCalls(run.id),
    ]);
    if (!ended) return undefined;
    // A later version may have begun it.
    const kind = RunKind.safeParse(ended.kind).data;
    if (list) {
      const ofList = kind && kind !== 'place' && kind !== 'survey' ? kinds[kind] : undefined;
      const changes = ofList ? await ofList.listAfter(tx, list, outcome.end, ended.input) : {};
      const status = ended.next === null ? statusAfter(outcome.end, list.lead_count) : 'processing';
      const updating = tx
        .updateTable('lists')
        .set({ ...changes, status })
        .where('id', '=', list.id)
        .modifyEnd(KEPT)
        .compile();
      await togetherAtLast(tx, ended.next === null ? [updating] : [updating, await deps.queue.announcing(ended.next)]);
    }
    return { kind, othersWait: ended.others_wait };
  });
  if (ended?.kind) deps.metrics.runEnded(ended.kind, outcome.end);
  return ended && { othersWait: ended.othersWait };
}

/** Whether some run waits for a process, in a query on app.runs where it is not the one that is meant. */
const othersWait = sql<boolean>`exists (
  select from app.runs as other
  where other.id <> runs.id and (other.state = 'queued' or (other.state = 'running' and other.lease_expires_at < now()))
)`;

function statusAfter(end: RunOutcome['end'], leadCount: number): 'completed' | 'failed' {
  if (end === 'cancelled') return leadCount > 0 ? 'completed' : 'failed';
  return end;
}
