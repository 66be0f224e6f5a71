import { MISSING_KEY } from '#contract/providers.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { ProviderError } from '#providers/provider.ts';
import { type ApiKey, openReadKey } from '#server/api-keys/api-key.ts';
import { AppError } from '#server/lib/app-error.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { createWaits, type Waits } from '#server/paid-calls/departure/waits.ts';
import { keyExchanged, sandboxMismatch } from '#server/paid-calls/ledger/sandbox-mismatch.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';
import { finishRun } from './finish-run.ts';
import type { Completion, KeylessContext, KindDefinition, Kinds, RunContext, RunDeps } from './run-context.ts';
import { boundReached, knownFailure, unknownFailure } from './run-failure.ts';
import { RunKind } from './run-kind.ts';
import { type ClaimedRun, claimNextRun, LEASE, releaseRun, renewLease } from './run-lease.ts';

/**
 * Claims the next run and works on it until it ends, is cancelled, or `stopping` aborts because this process stops.
 * - `begun`: called once it has a run, with whether others wait.
 * - Returns whether others may wait now that it has ended.
 * - Rejects only when not even the run's end could be written. Its lease then runs out, and the run is resumed.
 */
export async function executeNextRun(
  deps: RunDeps,
  kinds: Kinds,
  owner: string,
  stopping: AbortSignal,
  begun: (othersWait: boolean) => void,
): Promise<boolean> {
  if (stopping.aborted) return false;
  const run = await claimNextRun(deps.db, owner);
  if (!run) return false;
  let othersWait = true;
  begun(run.others_wait);
  const runId = run.id;
  const begunWith = { bound_micros: run.bound_micros };
  const waits = createWaits();
  const lease = holdLease(deps, run, owner, waits);
  const signal = AbortSignal.any([lease.signal, stopping]);
  const log = deps.log.child({ runId, kind: run.kind });
  // Its own signal has aborted by then.
  const keepPaid = async () => kindOf(run, kinds).keepPaid?.(contextOf(deps, run, owner, waits, stopping));
  let completed: Completion | undefined;
  try {
    if (run.cancel_requested_at) throw new RunStopped('cancelled');
    log.info('run started');
    const kind = kindOf(run, kinds);
    const context = contextOf(deps, run, owner, waits, signal);
    const completion = kind.withoutKey?.isEnoughFor(run.input)
      ? await kind.withoutKey.execute(context)
      : await kind.execute({ ...context, key: openKey(deps, run, kind) });
    // Anyone who cancelled in the last moment gets what is finished anyway.
    const ended = await throughOutage(() =>
      finishRun(deps, kinds, { id: runId, owner }, { end: 'completed', totals: completion?.totals }),
    );
    othersWait = ended?.othersWait ?? true;
    log.info('run completed');
    completed = completion;
  } catch (thrown) {
    // Some waits of Node's own tell only that they were aborted, and not why.
    const error: unknown = isAbort(thrown) && signal.aborted ? signal.reason : thrown;
    await leave(endsAsCanceled(error) ? await keepPaid().then(() => error, asIs) : error);
  } finally {
    lease.stop();
  }
  await completed
    ?.afterwards?.(stopping)
    .catch((error: unknown) => log.warn({ err: error }, 'work after the run failed'));
  return othersWait;

  async function leave(error: unknown): Promise<void> {
    const reason = error instanceof RunStopped ? error.reason : undefined;
    if (reason === 'lease_lost') return log.warn('run was taken over by another process');
    if (reason === 'interrupted' || isDatabaseGone(error)) {
      log.info('run interrupted');
      return throughOutage(() => releaseRun(deps, runId, owner));
    }
    const end = { id: runId, owner };
    if (reason === 'cancelled') {
      log.info('run canceled');
      await throughOutage(() => finishRun(deps, kinds, end, { end: 'cancelled' }));
      return;
    }
    if (reason === 'bound_reached') {
      log.info('run reached its bound');
      // Anyone who has joined the run may have lowered it.
      const failure = boundReached((await throughOutage(() => readBound(deps.db, runId))) ?? begunWith);
      await throughOutage(() => finishRun(deps, kinds, end, { end: 'cancelled', failure }));
      return;
    }
    const failure = knownFailure(error) ?? unknownFailure;
    // A run that was deleted with its account fails at whatever it writes next.
    if (!(await throughOutage(() => finishRun(deps, kinds, end, { end: 'failed', failure }))))
      return log.info({ code: failure.code }, 'run was gone');
    if (failure === unknownFailure) log.error({ err: error }, 'run failed');
    else if (error instanceof ProviderError) log.warn({ err: error, code: failure.code }, 'run failed');
    else log.info({ code: failure.code }, 'run failed');
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

const asIs = (error: unknown) => error;

const endsAsCanceled = (error: unknown): boolean =>
  error instanceof RunStopped && (error.reason === 'cancelled' || error.reason === 'bound_reached');

const readBound = (db: RunDeps['db'], runId: string) =>
  db.selectFrom('app.runs').select('bound_micros').where('id', '=', runId).executeTakeFirst();

/**
 * Returns what a run does.
 * @throws RunStopped when its list is gone.
 */
function kindOf({ kind, list_id: listId }: ClaimedRun, kinds: Kinds): KindDefinition {
  const name = RunKind.parse(kind);
  if (name === 'place' || name === 'survey') return kinds[name];
  const ofList = kinds[name];
  if (!listId) throw new RunStopped('cancelled');
  const { keepPaid, withoutKey } = ofList;
  return {
    provider: ofList.provider,
    execute: (context) => ofList.execute({ ...context, run: { ...context.run, listId } }),
    ...(keepPaid ? { keepPaid: (context) => keepPaid({ ...context, run: { ...context.run, listId } }) } : {}),
    ...(withoutKey
      ? {
          withoutKey: {
            isEnoughFor: withoutKey.isEnoughFor,
            execute: (context) => withoutKey.execute({ ...context, run: { ...context.run, listId } }),
          },
        }
      : {}),
  };
}

function contextOf(
  deps: RunDeps,
  { id, user_id: userId, sandbox, input, totals }: ClaimedRun,
  owner: string,
  waits: Waits,
  signal: AbortSignal,
): KeylessContext<RunContext> {
  return { deps, run: { id, userId, sandbox, input, totals }, owner, waits, signal };
}

function openKey(deps: RunDeps, run: ClaimedRun, { provider }: KindDefinition): ApiKey {
  const key = openReadKey(deps, run.user_id, provider, run.keys);
  if (!key) throw new AppError('MISSING_API_KEY', MISSING_KEY[provider]);
  if (key.sandbox !== run.sandbox) throw run.list_id ? sandboxMismatch(provider, run.sandbox) : keyExchanged();
  return key;
}

/** Renews the lease until stopped. The signal aborts with a RunStopped when the run is cancelled or another process has it. */
function holdLease(deps: RunDeps, run: ClaimedRun, owner: string, waits: Waits): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const renew = async () => {
    try {
      const state = await renewLease(deps.db, run.id, owner, { moved: waits.hasMoved(), wait: waits.current() });
      if (state !== 'held') controller.abort(new RunStopped(state));
    } catch (error) {
      // The next beat tries again; no call is sent without a lease that holds.
      deps.log.warn({ err: error, runId: run.id }, 'lease not renewed');
    }
  };
  const timer = setInterval(() => void renew(), LEASE.beatMs);
  const forget = deps.notifications.on('run_cancelled', (listId) => {
    if (listId === (run.list_id ?? '')) void renew();
  });
  return {
    signal: controller.signal,
    stop() {
      clearInterval(timer);
      forget();
    },
  };
}
