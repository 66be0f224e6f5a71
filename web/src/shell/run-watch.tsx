import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/lists.ts';
import { listsQuery } from '#web/features/lists/api.ts';
import { followUnderWay, readUnderWay, writeUnderWay } from '#web/features/lists/lists-under-way.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { longRunEnds, runToastId } from '#web/features/runs/run-end.ts';
import { inOneTab } from '#web/lib/in-one-tab.ts';
import { isLive } from '#web/lib/live.ts';
import { useSession } from '#web/lib/session.tsx';
import { badgeTitle } from '#web/ui/title-badge.ts';
import { toast } from '#web/ui/toast.ts';

/** How often lists under way are looked at from other pages and hidden tabs while changes are not told, in ms. */
const WATCH_MS = 5000;
/** The same while they are told: whoever tells may have died where nobody notices it. */
const CHECK_MS = 30_000;

/** Tells that a long run has ended to whoever is on another page or in another tab by then. */
export function RunWatch() {
  const { user } = useSession();
  return user ? <Watch key={user.id} userId={user.id} /> : null;
}

function Watch({ userId }: { userId: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const here = useRef(pathname);
  const [underWay, setUnderWay] = useState(() => readUnderWay(userId));
  const watching = Object.keys(underWay).length > 0;
  // Without work under way nothing is asked for here; what the pages read is seen all the same.
  const { data: lists } = useQuery({
    ...listsQuery(false),
    enabled: watching,
    refetchInterval: () => watching && (isLive() ? CHECK_MS : WATCH_MS),
    refetchIntervalInBackground: true,
  });
  useEffect(() => {
    here.current = pathname;
  }, [pathname]);

  useEffect(() => {
    if (!lists) return;
    const tell = async ({ list, since }: { list: LeadList; since: string }) => {
      const runs = await queries.fetchQuery({ ...runsOfListQuery(list.id, false), staleTime: 0 });
      const path = `/lists/${list.id}`;
      for (const { run, tone, title } of longRunEnds(runs, since))
        void inOneTab(`run ${run.id}`, () => {
          if (here.current === path && !document.hidden) return;
          const text = tone === 'error' && run.errorMessage ? `${list.name}: ${run.errorMessage}` : list.name;
          const view = { label: 'View list', onClick: () => void navigate(path) };
          toast[tone](title, text, view, runToastId(list.id, run.kind));
          badgeTitle();
        });
    };
    const { now, ended } = followUnderWay(underWay, lists);
    if (JSON.stringify(now) === JSON.stringify(underWay)) return;
    setUnderWay(now);
    writeUnderWay(userId, now);
    // An end that can not be read about is seen on the list itself.
    for (const end of ended) void tell(end).catch(() => undefined);
  }, [lists, underWay, userId, queries, navigate]);
  return null;
}
