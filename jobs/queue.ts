import { CompiledQuery } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '#db/connection/client.ts';
import { kept } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { runWaits, SCHEMA } from './definitions.ts';

/** Notifications wake workers; these polls only catch what a lost notification left behind, in seconds. */
const FALLBACK_POLL_SECONDS = 5;
const POLL_WITHOUT_LISTENER_SECONDS = 0.5;
const STOP_TIMEOUT_MS = 10_000;
/** A run that was handed over is known for this long, in ms: its announcement comes within milliseconds. */
const HANDED_OVER_MS = 10_000;

/** Delivers run ids to workers, over PostgreSQL. Delivery is at least once and says nothing about the run's state. */
export type Queue = {
  /** Announces a run; inside a transaction, when that commits. A run that is already announced is not announced twice. */
  announceRun(db: Db | Tx, runId: string): Promise<void>;
  /** Returns the statement that does so, to be sent with others. */
  announcing(runId: string): Promise<CompiledQuery<unknown>>;
  /** Hands a new run that was just announced to this process at once, if it works. Others may get the announcement as well. */
  handOver(runId: string): void;
  /** Hands each announced run to `take`, in this process, until stopWork(). The announcement is done when `take` resolves. */
  work(take: (runId: string) => Promise<void>): Promise<void>;
  /** Takes no more announcements and waits for those under way. */
  stopWork(): Promise<void>;
  /** @throws when the queue cannot be reached. */
  check(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the queue on a database that has it installed.
 * - `onError`: hears of lost connections and the like. The queue recovers by itself.
 * - `listens`: whether the connection can (default). Without it, announcements are looked for twice a second.
 */
export async function startQueue(
  connectionString: string,
  options: { onError?: (error: unknown) => void; listens?: boolean } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    schema: SCHEMA,
    max: 4,
    useListenNotify: options.listens ?? true,
    schedule: false,
    migrate: false,
  });
  boss.on('error', (emitted) => options.onError?.(asError(emitted)));
  await boss.start();
  let takeHere: ((runId: string) => Promise<void>) | undefined;
  const handedOver = new Map<string, Promise<void>>();
  return {
    async announceRun(db, runId) {
      await boss.send(runWaits.name, { runId }, { singletonKey: runId, db: fromKysely(db) });
    },
    async announcing(runId) {
      let statement: CompiledQuery<unknown> | undefined;
      const executeSql = async (text: string, values: unknown[] = []) => {
        statement = CompiledQuery.raw(kept(text), values);
        return { rows: [] };
      };
      await boss.send(runWaits.name, { runId }, { singletonKey: runId, db: { executeSql } });
      if (!statement) throw new Error('The queue announces nothing.');
      return statement;
    },
    handOver(runId) {
      if (!takeHere) return;
      const taken = takeHere(runId);
      handedOver.set(runId, taken);
      setTimeout(() => handedOver.delete(runId), HANDED_OVER_MS).unref();
      taken.catch((error: unknown) => options.onError?.(error));
    },
    async work(take) {
      takeHere = take;
      await boss.work(
        runWaits.name,
        {
          batchSize: 20,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: POLL_WITHOUT_LISTENER_SECONDS,
          notifyPollingIntervalSeconds: FALLBACK_POLL_SECONDS,
        },
        async (jobs) => {
          const runIds = jobs.map((job) => runWaits.data.parse(job.data).runId);
          await Promise.all(
            runIds.map((runId) => {
              const taken = handedOver.get(runId);
              // A run that is announced again is taken again.
              handedOver.delete(runId);
              return taken ?? take(runId);
            }),
          );
        },
      );
    },
    stopWork() {
      takeHere = undefined;
      return boss.offWork(runWaits.name, { wait: true });
    },
    async check() {
      if (!(await boss.getQueue(runWaits.name))) throw new Error(`There is no queue ${runWaits.name}.`);
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  };
}

/** What the queue says of a failed look for work is not an Error, but an object with the properties of one. */
const asError = (emitted: Error): Error => (emitted instanceof Error ? emitted : Object.assign(new Error(), emitted));
