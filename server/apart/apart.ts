import type { Logger } from 'pino';
import { AppError } from '#server/lib/app-error.ts';
import { type ApartRequest, sendApart } from './send-apart.ts';
import { type Child, startChild } from './start-child.ts';
import type { Beginning } from './told.ts';

const IDLE_MS = 5 * 60_000;
/** After a start that failed, requests are answered here for as long. */
const REST_MS = 30_000;

/** Answers requests in a process of its own, which is there while it is needed. */
export type Apart = {
  /**
   * Returns undefined where there is no such process to be had: the caller does the work itself.
   * @throws what `sendApart` throws.
   */
  answer(request: ApartRequest): Promise<Response | undefined>;
  /** The id of the process, while there is one. */
  readonly pid: number | undefined;
  /** Waits for what is under way, a little. Nothing is answered apart afterwards. */
  stop(): Promise<void>;
};

/** `idleMs`: how long the process stays without anything to do. */
export function createApart({
  log,
  idleMs = IDLE_MS,
  ...beginning
}: Beginning & { log: Logger; idleMs?: number }): Apart {
  let child: Child | undefined;
  /** Those that were told to end. */
  const asked = new WeakSet<Child>();
  let starting: Promise<Child | undefined> | undefined;
  let restsUntil = 0;
  let stopped = false;
  let open = 0;
  let idle: NodeJS.Timeout | undefined;

  const forget = (ended: Child) => {
    if (child === ended) child = undefined;
  };
  const start = async (): Promise<Child | undefined> => {
    try {
      const started = await startChild(beginning);
      child = started;
      started.session.once('close', () => forget(started));
      void started.ended.then((how) => {
        if (!asked.has(started)) log.warn({ how }, 'the process for long work ended');
        forget(started);
        started.session.destroy();
      });
      return started;
    } catch (error) {
      restsUntil = performance.now() + REST_MS;
      log.warn({ err: error }, 'the process for long work could not be started, so this one does its work');
      return undefined;
    } finally {
      starting = undefined;
    }
  };
  const current = async (): Promise<Child | undefined> => {
    if (child || stopped || performance.now() < restsUntil) return child;
    starting ??= start();
    return starting;
  };
  const end = async () => {
    if (!child) return;
    const ending = child;
    child = undefined;
    asked.add(ending);
    await ending.end();
  };
  const enter = () => {
    open += 1;
    clearTimeout(idle);
    return () => {
      open -= 1;
      if (open === 0) idle = setTimeout(() => void end(), idleMs).unref();
    };
  };

  return {
    async answer(request) {
      const leave = enter();
      const found = await current();
      if (found && !found.session.closed) return sendApart(found.session, request, leave);
      leave();
      if (found) throw new AppError('UNAVAILABLE', 'This could not be started. Try again.', { retryAfterSeconds: 1 });
      return undefined;
    },
    get pid() {
      return child?.pid;
    },
    async stop() {
      stopped = true;
      clearTimeout(idle);
      await starting;
      await end();
    },
  };
}
