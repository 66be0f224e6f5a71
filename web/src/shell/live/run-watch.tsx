import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { listsQuery } from '#web/features/lists/api.ts';
import { followUnderWay, readUnderWay, writeUnderWay } from '#web/features/lists/lists-under-way.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { setPlace, shareNews, tellNews } from '#web/features/runs/news.tsx';
import { type Remedy, remedyOf } from '#web/features/runs/remedy.ts';
import { longRunEnds } from '#web/features/runs/run-end.ts';
import { formOf } from '#web/features/search/api.ts';
import { isLive } from '#web/lib/backend/live.ts';
import { API_PROVIDERS } from '#web/lib/format/api-providers.tsx';
import { useSession } from '#web/lib/session/session.tsx';

/** How often lists under way are looked at from other pages and hidden tabs while changes are not told, in ms. */
const WATCH_MS = 5000;
/** The same while they are told: what tells may have died unnoticed. */
const CHECK_MS = 30_000;

/** Tells that a long run has ended to anyone who is on another page or in another tab by then. */
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
    setPlace(pathname);
  }, [pathname]);
  useEffect(shareNews, []);

  useEffect(() => {
    if (!lists) return;
    const tell = async ({ list, since }: { list: LeadList; since: string }) => {
      const runs = await queries.fetchQuery({ ...runsOfListQuery(list.id, false), staleTime: 0 });
      const path = `/lists/${list.id}`;
      for (const { run, tone, title } of longRunEnds(runs, since)) {
        if (here.current === path && !document.hidden) continue;
        const remedy = tone === 'error' ? remedyOf(run.kind, run.errorCode) : undefined;
        tellNews({
          run: run.id,
          list,
          kind: run.kind,
          tone,
          title,
          text: tone === 'error' ? (run.errorMessage ?? undefined) : undefined,
          remedy: remedy && { label: remedy.label, onClick: () => void navigate(...mendingPage(remedy, list)) },
          onView: () => void navigate(path),
        });
      }
    };
    const { now, ended } = followUnderWay(underWay, lists);
    if (JSON.stringify(now) === JSON.stringify(underWay)) return;
    setUnderWay(now);
    writeUnderWay(userId, now);
    // An end that cannot be read about is seen on the list itself.
    for (const end of ended) void tell(end).catch(() => undefined);
  }, [lists, underWay, userId, queries, navigate]);
  return null;
}

/** The page where a failure is mended. */
function mendingPage({ mends }: Remedy, { searchParams }: LeadList): [path: string, options?: NavigateOptions] {
  if (mends === 'search') return ['/', { state: { fromSearch: true, again: formOf(searchParams) } }];
  return [mends === 'budgets' ? '/settings#budgets' : API_PROVIDERS.path];
}
