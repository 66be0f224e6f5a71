import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase } from 'pg';
import { cancelQuery } from './cancel-query.ts';

/** A cancel request that arrives between two statements is lost, so it is repeated, in ms. */
const AGAIN_MS = 250;

const asking = new AsyncLocalStorage<AbortSignal>();

/** Thrown instead of beginning another statement for a caller who has hung up. */
export class CallerGone extends Error {
  override name = 'CallerGone';

  constructor(options?: { cause: unknown }) {
    super('The caller hung up.', options);
  }
}

/**
 * Runs reads for as long as their caller waits. Only for what may break off at any statement, on connections that `heedCallers` knows.
 * When `signal` aborts, PostgreSQL cancels the statement under way, and the next one does not begin.
 * @throws CallerGone when `signal` has aborted.
 */
export const whileAsked = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => asking.run(signal, work);

/** Runs the part of such work that must be done even when its caller has gone. */
export const untilDone = <T>(work: () => Promise<T>): Promise<T> => asking.exit(work);

/** Makes a new connection heed `whileAsked`. */
export function heedCallers(client: ClientBase): void {
  const run = client.query.bind(client) as (...given: unknown[]) => unknown;
  const heeding = (...given: unknown[]): unknown => {
    const signal = asking.getStore();
    if (!signal || isRollback(given[0])) return run(...given);
    if (signal.aborted) return Promise.reject(new CallerGone());
    const answer = run(...given);
    return answer instanceof Promise ? orCancelled(client, answer, signal) : answer;
  };
  client.query = heeding as typeof client.query;
}

/** Settles only when no cancel request is under way any more: it would hit the next statement. */
async function orCancelled(client: ClientBase, answer: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  let settled = false;
  let cancelling = Promise.resolve();
  const cancel = async () => {
    while (!settled) {
      await cancelQuery(client);
      if (!settled) await Promise.race([answer.catch(() => {}), pause()]);
    }
  };
  const onAbort = () => {
    cancelling = cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await answer;
  } catch (error) {
    throw signal.aborted ? new CallerGone({ cause: error }) : error;
  } finally {
    settled = true;
    signal.removeEventListener('abort', onAbort);
    await cancelling;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());

function isRollback(statement: unknown): boolean {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return text === 'rollback';
}
