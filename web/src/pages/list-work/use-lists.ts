import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LeadList } from '#contract/work/lists.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { listKeys, listsQuery } from '#web/features/lists/api.ts';
import { runKeys } from '#web/features/runs/api.ts';
import type { Refusal } from '#web/features/runs/failure.ts';
import { isLive } from '#web/lib/backend/live.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { usePendingLists } from './use-jobs.ts';
import { useRefusals } from './use-refusals.ts';

const CHANNEL = 'fairlead-lists';

/** What other tabs have to hear of. Counts are left out: a tab that knows of running work follows it by itself. */
const signature = (lists: readonly LeadList[]): string =>
  JSON.stringify(lists.map(({ id, name, status, archived }) => [id, name, status, archived]));

/**
 * The user's lists. One that this page has handed to the server counts as processing until the answer is there, and as failed after an
 * answer that no run tells of. When a list changes and changes are not told, what depends on it is read again, here and in the other tabs.
 */
export function useLists() {
  const { status } = useSession();
  const pending = usePendingLists();
  const lists = useQuery({ ...listsQuery(pending.size > 0), enabled: status === 'signed_in' });
  useEcho(lists.data);
  const { refusals } = useRefusals();
  const data = lists.data?.map((list): LeadList => {
    if (pending.has(list.id)) return { ...list, status: 'processing' };
    return isRefused(list, refusals[list.id]?.at(-1)) ? { ...list, status: 'failed' } : list;
  });
  // Not spread: reading every part of a query draws the page again at each step of each reading.
  return { data, query: lists };
}

/** A list that a run works on has changed since. One that was just added says that it is processing while it waits for its search. */
const isAtWork = ({ status, updatedAt }: LeadList, { since }: Refusal): boolean =>
  status === 'processing' && Date.parse(updatedAt) > Date.parse(since);

const isRefused = (list: LeadList, refusal: Refusal | undefined): boolean =>
  refusal !== undefined && !list.archived && !isAtWork(list, refusal);

function useEcho(lists: readonly LeadList[] | undefined): void {
  const queries = useQueryClient();
  const channel = useRef<BroadcastChannel>(undefined);
  const known = useRef<string>(undefined);

  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    const opened = new BroadcastChannel(CHANNEL);
    opened.onmessage = () => void queries.invalidateQueries({ queryKey: listKeys.all });
    channel.current = opened;
    return () => opened.close();
  }, [queries]);

  useEffect(() => {
    if (!lists) return;
    const next = signature(lists);
    const before = known.current;
    known.current = next;
    if (before === undefined || before === next || isLive()) return;
    channel.current?.postMessage('changed');
    void queries.invalidateQueries({ queryKey: runKeys.all });
    void queries.invalidateQueries({ queryKey: leadKeys.all });
  }, [lists, queries]);
}
