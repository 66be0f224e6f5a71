import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import type { Deps } from '#server/deps.ts';
import { AskAgain } from '#server/http/ask-again.ts';
import { AppError } from '#server/lib/app-error.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import type { RunDeps, RunRow } from './run-context.ts';

/** Catches an end whose notification was lost, in ms. */
const FALLBACK_POLL_MS = 1_000;

/**
 * Begins a run by `begin`, which returns its id, waits until it has ended and returns its row. The run goes on without its caller.
 * - Ends are heard since before it begins, so its row is read only then. `mayHaveEnded`: it began earlier, and is read at once.
 * - `read`: read once it has completed, and returned beside the row.
 * @throws what `begin` throws, the run's failure, or RUN_CANCELLED.
 * @throws BAD_REQUEST when the caller has gone.
 * @throws AskAgain when this process stops, whether the database can be reached or not.
 */
export async function awaitRun<T>(
  { deps, signal }: { deps: Pick<Deps, 'db' | 'notifications' | 'stopping'>; signal: AbortSignal },
  begin: () => Promise<string>,
  { read, mayHaveEnded = false }: { read: () => Promise<T>; mayHaveEnded?: boolean },
): Promise<{ run: RunRow; read: T }> {
  const { db, notifications, stopping } = deps;
  const ends = hearRunEnds(notifications);
  try {
    const runId = await begin();
    let isTold = !mayHaveEnded && (await ends.next(runId, [signal, stopping]));
    for (;;) {
      // Beside its row, where it has ended for sure.
      const reading = isTold ? read() : undefined;
      reading?.catch(() => {});
      const run = await throughOutage(() => readRun(db, runId), stopping).catch((error: unknown) => {
        throw stopping.aborted && isDatabaseGone(error) ? new AskAgain({ run: runId }) : error;
      });
      if (!run || (hasEnded(run) && hasLostList(run))) throw deleted();
      if (run.state === 'completed') return { run, read: await (reading ?? read()) };
      if (run.state === 'cancelled') throw cancelled(run);
      if (run.state === 'failed')
        throw new AppError(readCode(run.error_code), run.error_message ?? 'The run failed. Press Retry to continue.');
      if (signal.aborted) throw new AppError('BAD_REQUEST', 'The connection was closed. The run continues.');
      if (stopping.aborted) throw new AskAgain({ run: runId });
      isTold = await ends.next(runId, [signal, stopping]);
    }
  } finally {
    ends.stop();
  }
}

const readRun = (db: RunDeps['db'], runId: string) =>
  db.selectFrom('app.runs').selectAll().where('id', '=', runId).executeTakeFirst();

const hasEnded = ({ state }: RunRow): boolean => state !== 'queued' && state !== 'running';
const hasLostList = ({ kind, list_id }: RunRow): boolean => kind !== 'place' && kind !== 'survey' && list_id === null;

const deleted = () => new AppError('RUN_CANCELLED', 'The list was deleted, so the work on it has stopped.');
const cancelled = ({ error_code, error_message }: RunRow) =>
  error_code && error_message
    ? new AppError(readCode(error_code), error_message)
    : new AppError('RUN_CANCELLED', 'The run was canceled. What was found so far is kept.');

const readCode = (code: string | null): ErrorCode => (code && code in ERROR_STATUS ? (code as ErrorCode) : 'INTERNAL');

/** Hears which runs end, from now on until it is stopped. */
function hearRunEnds(notifications: RunDeps['notifications']) {
  const ended = new Set<string>();
  let look = () => {};
  return {
    stop: notifications.on('run_ended', (runId) => {
      ended.add(runId);
      look();
    }),
    /** Resolves when this run has ended, when one of `signals` aborts, or after a second. Returns whether it has been told to have ended. */
    async next(runId: string, signals: readonly AbortSignal[]): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<void>();
      let isTold = false;
      look = () => {
        isTold ||= ended.delete(runId);
        if (isTold || signals.some(({ aborted }) => aborted)) resolve();
      };
      look();
      const timer = setTimeout(resolve, FALLBACK_POLL_MS);
      for (const signal of signals) signal.addEventListener('abort', look);
      await promise;
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', look);
      return isTold;
    },
  };
}
