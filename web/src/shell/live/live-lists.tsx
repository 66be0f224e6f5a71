import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListChange, LiveMessage } from '#contract/live.ts';
import { type LeadList, readList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { apiKeysQuery } from '#web/features/api-keys/api.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { followChanges } from '#web/features/live/follow-changes.ts';
import { runKeys } from '#web/features/runs/api.ts';
import { lastEnded } from '#web/features/runs/failure.ts';
import { createRunFollower } from '#web/features/runs/follow-run.ts';
import { isLive, setLive } from '#web/lib/backend/live.ts';
import { afterRead } from '#web/lib/query/after-read.ts';
import { useSession } from '#web/lib/session/session.tsx';

/** Keeps what is known of lists and their runs as the server tells it, on every page. */
export function LiveLists() {
  const { user } = useSession();
  const userId = user?.id;
  const queries = useQueryClient();
  useEffect(() => {
    if (userId === undefined) return;
    const follower = createRunFollower(queries);
    const leave = followChanges(userId, {
      onMessage(message) {
        take(queries, message);
        if (message.kind === 'changed')
          follower.changed(message.changes.flatMap(({ runs }) => runs.map(({ id }) => id)));
      },
      onLive(live) {
        const wasLive = isLive();
        setLive(live);
        if (live) void catchUp(queries);
        // From now on work is asked after, beginning at once.
        else if (wasLive && isAtWork(queries)) readAgain(queries);
      },
    });
    return () => {
      leave();
      follower.stop();
      setLive(false);
    };
  }, [userId, queries]);
  return null;
}

function take(queries: QueryClient, message: LiveMessage): void {
  if (message.kind === 'changed') {
    void keep(queries, listKeys.all, (lists: LeadList[]) => message.changes.reduce(withList, lists));
    void keep(queries, runKeys.last, (last: Record<string, Run>) => message.changes.reduce(withLast, last));
    for (const { listId, runs } of message.changes) {
      // A key may have been removed elsewhere.
      if (runs.some(({ errorCode }) => errorCode === 'MISSING_API_KEY'))
        void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
      if (runs.length > 0) void keep(queries, runKeys.ofList(listId), (known: Run[]) => runs.reduce(withRun, known));
      // The open page of a list reads its leads by itself.
      void queries.invalidateQueries({ queryKey: leadKeys.ofList(listId), refetchType: 'none' });
    }
  } else if (message.kind === 'missed') {
    readAgain(queries);
  }
}

const isAtWork = (queries: QueryClient): boolean =>
  queries.getQueryData<LeadList[]>(listKeys.all)?.some(({ status }) => status === 'processing') === true;

function readAgain(queries: QueryClient): void {
  for (const queryKey of [listKeys.all, runKeys.all, leadKeys.all]) void queries.invalidateQueries({ queryKey });
}

/** Reads what may have changed unheard: the lists, and what belongs to them only where one has changed, or is being worked on. */
async function catchUp(queries: QueryClient): Promise<void> {
  await afterRead(queries, listKeys.all);
  const before = queries.getQueryData(listKeys.all);
  await queries.invalidateQueries({ queryKey: listKeys.all });
  if (queries.getQueryData(listKeys.all) === before && !isAtWork(queries)) return;
  for (const queryKey of [runKeys.all, leadKeys.all]) void queries.invalidateQueries({ queryKey });
}

/** Changes what has been read; after a read under way, which may have begun before the change. */
async function keep<T>(queries: QueryClient, queryKey: QueryKey, change: (known: T) => T): Promise<void> {
  await afterRead(queries, queryKey);
  queries.setQueryData<T>(queryKey, (known) => (known === undefined ? undefined : change(known)));
}

/** Newest first, as they are read. */
function withList(lists: LeadList[], { listId, list }: ListChange): LeadList[] {
  const place = lists.findIndex(({ id }) => id === listId);
  if (list === null) return place < 0 ? lists : lists.toSpliced(place, 1);
  const next = readList(list);
  return place < 0
    ? [...lists, next].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    : lists.with(place, next);
}

function withRun(runs: Run[], run: Run): Run[] {
  const place = runs.findIndex(({ id }) => id === run.id);
  return place < 0
    ? [...runs, run].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    : runs.with(place, run);
}

function withLast(last: Record<string, Run>, { listId, runs }: ListChange): Record<string, Run> {
  const known = last[listId];
  const others = runs.filter(({ id }) => id !== known?.id);
  // A newer state of the known one stands first.
  const newer = runs.find(({ id }) => id === known?.id) ?? known;
  const next = lastEnded(newer ? [newer, ...others] : others);
  return next ? { ...last, [listId]: next } : last;
}
