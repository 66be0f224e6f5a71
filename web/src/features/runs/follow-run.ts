import type { Query, QueryClient } from '@tanstack/react-query';
import type { RunDetail } from '#contract/work/runs.ts';
import { afterRead } from '#web/lib/query/after-read.ts';
import { runKeys } from './api.ts';

/** A run that is shown in detail is read at most this often, in ms, however fast the work goes. */
const EVERY_MS = 1000;

/** The key of a run's calls begins with that of the run. */
const isOneRun = (query: Query): boolean =>
  query.queryKey.length === runKeys.one('').length && query.queryKey[1] === runKeys.one('')[1] && query.isActive();

/**
 * Reads runs that are shown in detail again, with their calls, when news of them comes. A run that has not begun is
 * also read when others change. It reads at once, and then once a second.
 */
export function createRunFollower(queries: QueryClient): { changed(runIds: readonly string[]): void; stop(): void } {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readAt = 0;
  const read = async () => {
    timer = undefined;
    readAt = Date.now();
    const runIds = [...waiting];
    waiting.clear();
    for (const runId of runIds) {
      const queryKey = runKeys.one(runId);
      // A read under way is let finish: the next one would otherwise always cut off the last.
      await afterRead(queries, queryKey);
      await queries.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' });
    }
  };
  return {
    changed(runIds) {
      for (const [[, , id], run] of queries.getQueriesData<RunDetail>({ predicate: isOneRun }))
        if (typeof id === 'string' && (runIds.includes(id) || run?.state === 'queued')) waiting.add(id);
      if (waiting.size > 0) timer ??= setTimeout(() => void read(), Math.max(0, readAt + EVERY_MS - Date.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
