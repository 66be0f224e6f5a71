import type { RunContext } from '#server/runs/run-context.ts';
import { showTotals } from './totals.ts';

/** Totals are written at most this often while a run works, in ms. */
const EVERY_MS = 200;

/** Totals that one execution counts from zero; on a resumed run they replace what the dead process had counted. */
export type Progress<Name extends string> = {
  add(more: Readonly<Partial<Record<Name, number>>>): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
  /** Writes nothing more, and returns the totals: the end of the run writes them. */
  end(): Promise<Readonly<Record<Name, number>>>;
};

/** Writes totals while a run works. Only the last write is waited for. */
export function startProgress<Name extends string>(
  context: Pick<RunContext, 'deps' | 'run' | 'owner'>,
  totals: Record<Name, number>,
): Progress<Name> {
  const { deps, run } = context;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  // One after the other: on two connections, what was counted earlier could be written later.
  const write = () => {
    last = last.catch(() => {}).then(() => showTotals(deps.db, context, totals));
    return last;
  };
  // The next write carries everything again.
  const show = () =>
    write().catch((error: unknown) => deps.log.warn({ err: error, runId: run.id }, 'progress not written'));
  void show();
  return {
    add(more) {
      for (const name of Object.keys(more) as Name[]) totals[name] += more[name] ?? 0;
      timer ??= setTimeout(() => {
        timer = undefined;
        void show();
      }, EVERY_MS);
    },
    async flush() {
      clearTimeout(timer);
      timer = undefined;
      await write();
    },
    async end() {
      clearTimeout(timer);
      // A write that came behind the end of the run would be none.
      await last.catch(() => {});
      return { ...totals };
    },
  };
}
