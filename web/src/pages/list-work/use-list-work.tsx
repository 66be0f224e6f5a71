import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ProviderId } from '#contract/providers.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import type { SearchForm } from '#contract/work/search/search.ts';
import { keyOf, useProviderKeys } from '#web/features/api-keys/api.ts';
import { keepLimitUnlessTaken } from '#web/features/budgets/kept-limit.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { useChangeList } from '#web/features/lists/use-change-list.ts';
import { useDuplicateList } from '#web/features/lists/use-duplicate-list.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { failureOf, isOver, lastEnded, type Work } from '#web/features/runs/failure.ts';
import { type Remedy, remedyOf } from '#web/features/runs/remedy.ts';
import { createList, formOf, openSearchOf, requestOf, searchOf } from '#web/features/search/api.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { useStableCallback } from '#web/lib/browser/use-stable-callback.ts';
import { API_PROVIDERS } from '#web/lib/format/api-providers.tsx';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { rememberReturnTo } from '#web/lib/session/return-to.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { dialogName, type Job, type Limit, type WantedEnrichment, workOfJob } from './job.ts';
import type { OpenDialog } from './list-dialogs.tsx';
import { type Taken, useJobs } from './use-jobs.ts';
import { useOnBack } from './use-on-back.ts';
import { useRefusals } from './use-refusals.ts';

// Fetched once the page stands, so that they neither delay the page nor the first click.
const loadDialogs = () => loadAgain(() => import('./list-dialogs.tsx'), 'ListDialogs');
const ListDialogs = lazy(async () => ({ default: (await loadDialogs()).ListDialogs }));

export type ListWork = ReturnType<typeof useListWork>;

/**
 * Everything that can be done with lists, for the pages that show them: actions that open dialogs, and the dialogs.
 * `lists` are the current ones, `lastRun` returns the run of a list that ended last, if `areRunsKnown`.
 */
export function useListWork({
  lists,
  lastRun,
  areRunsKnown,
  onDeleted,
}: {
  lists: readonly LeadList[];
  lastRun: (listId: string) => Run | undefined;
  areRunsKnown: boolean;
  onDeleted?: (list: LeadList) => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const userId = useSession().user?.id;
  const keys = useProviderKeys();
  const { refusals, forget } = useRefusals();
  const changes = useChangeList();
  const duplicate = useDuplicateList();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [connecting, setConnecting] = useState<ProviderId>();
  const mounted = useMounted();
  useEffect(() => {
    // Not fatal: opening one asks for them again.
    void whenQuiet()
      .then(loadDialogs)
      .then(({ loadNewSearch }) => loadNewSearch())
      .catch(() => undefined);
  }, []);
  // Only the search dialog: its link is an entry of the history. Others may open just as Back leaves the panel of a run.
  useOnBack(() => setDialog((open) => (open?.kind === 'search' ? undefined : open)));

  const editSearch = (listId: string) => {
    const again = formOf(lists.find(({ id }) => id === listId)?.searchParams ?? {});
    // A toast outlives the page.
    if (mounted.current) setDialog({ kind: 'search', defaults: again });
    else void navigate('/', { state: { fromSearch: true, again } });
  };
  const mend = useStableCallback((remedy: Remedy, listId: string): void => {
    if (remedy.mends === 'search') editSearch(listId);
    else if (remedy.mends === 'budgets') void navigate('/settings#budgets');
    else if (mounted.current) setConnecting(remedy.provider);
    else void navigate(API_PROVIDERS.path);
  });
  const jobs = useJobs(mend);
  const isConnected = (provider: ProviderId) =>
    keys.data ? keyOf(keys.data, provider)?.isConnected === true : undefined;
  const failure = (list: LeadList) => {
    const failed = failureOf(list, lastRun(list.id), refusals[list.id] ?? [], areRunsKnown);
    if (!failed) return undefined;
    const remedy = failed.work && remedyOf(failed.work.kind, failed.code);
    // A key that was missing and is there now leaves nothing to mend.
    const mended =
      failed.code === 'MISSING_API_KEY' && remedy?.mends === 'key' && isConnected(remedy.provider) === true;
    return { ...failed, remedy: mended ? undefined : remedy };
  };
  const retry = useStableCallback(async (list: LeadList): Promise<void> => {
    try {
      // The list is shown before its runs have been read.
      const last = lastRun(list.id) ?? lastEnded(await queries.fetchQuery(runsOfListQuery(list.id, false)));
      const work = failureOf(list, last, refusals[list.id] ?? [], true)?.work;
      const open = work?.kind === 'search' && !work.searchFor && openSearchOf(list.searchParams);
      if (open) {
        // It costs nothing, so there is nothing to ask.
        void jobs.start({ kind: 'search', listId: list.id, search: open, limit: {} });
        return;
      }
      // What did not start is not known: the choice is the user's.
      setDialog(
        (open) =>
          open ?? (work ? { kind: 'retry', list, work, finish: false } : { kind: 'enrich', list, chosen: undefined }),
      );
    } catch (error) {
      toast.error('Could not read what failed', errorMessage(error));
    }
  });
  const over = Object.entries(refusals).flatMap(([id, all]) =>
    all.filter((one) => isOver(one, lastRun(id))).map(({ work }) => ({ id, kind: work.kind })),
  );
  useEffect(() => {
    for (const { id, kind } of over) forget(id, kind);
  });

  /** Whether all was taken on. Where a price has changed, the dialog that showed it opens `again`, with the new one. */
  const settle = (ends: readonly Taken[], again = dialog): boolean => {
    if (ends.includes('quote_changed')) setDialog((open) => open ?? again);
    return ends.every((end) => end === 'taken');
  };
  const startSearch = async (form: SearchForm, limit: Limit): Promise<boolean> => {
    try {
      const list = await createList(form);
      // The live stream may have told of it before the answer came.
      queries.setQueryData<LeadList[]>(listKeys.all, (known = []) => [
        list,
        ...known.filter(({ id }) => id !== list.id),
      ]);
      const job: Job = { kind: 'search', listId: list.id, search: searchOf(form), limit };
      // The list is there by then, so its Retry asks for the amount, and for what has changed.
      const again = { kind: 'retry', list, work: workOfJob(job), finish: false } as const;
      const taken = jobs.start(job).then((end) => settle([end], again));
      if (userId !== undefined)
        void keepLimitUnlessTaken(userId, dialogName('retry', list.id), limit.typedMicros, taken);
      return true;
    } catch (error) {
      toast.error('The list could not be created', errorMessage(error));
      if (error instanceof ApiError && error.kind === 'unauthenticated') {
        rememberReturnTo(`${location.pathname}${location.search}`);
        void navigate('/login');
      }
      return false;
    }
  };
  // Both are asked for at once, so that closing the page loses neither: the server queues the second behind the first.
  const startEnrichment = async ({ list, chosen, choice, steps, limits }: WantedEnrichment): Promise<boolean> => {
    const listId = list.id;
    const about = { listId, ...(chosen ? { chosen } : {}) };
    const wanted: Job[] = [];
    if (choice.emails || choice.verify) wanted.push({ kind: 'enrichment', ...about, steps, limit: limits.emails });
    if (choice.compliance) wanted.push({ kind: 'compliance', ...about, limit: limits.compliance });
    return settle(await Promise.all(wanted.map(jobs.start)));
  };
  const startCheck = async ({ id: listId }: LeadList, chosen: ChosenLeads | undefined, limit: Limit) =>
    settle([await jobs.start({ kind: 'compliance', listId, limit, ...(chosen ? { chosen } : {}) })]);
  const repeat = async (list: LeadList, { kind, chosen, searchFor, steps }: Work, limit: Limit): Promise<boolean> => {
    if (kind === 'compliance') return startCheck(list, chosen, limit);
    const about = { listId: list.id, limit };
    const job: Job =
      kind === 'enrichment'
        ? { kind, ...about, ...(chosen ? { chosen } : {}), ...(steps ? { steps } : {}) }
        : { kind, ...about, search: searchFor ?? requestOf(formOf(list.searchParams)) };
    return settle([await jobs.start(job)]);
  };

  const onDuplicate = useStableCallback(duplicate);
  const onArchive = useStableCallback((list: LeadList) => void changes.archive(list));
  const onRestore = useStableCallback((list: LeadList) => void changes.restore(list));
  const handlers = useMemo(
    () => ({
      onEnrich: (list: LeadList) => setDialog({ kind: 'enrich', list, chosen: undefined }),
      onCheckCompliance: (list: LeadList) => setDialog({ kind: 'compliance', list, chosen: undefined }),
      onRetry: (list: LeadList) => void retry(list),
      onExport: (list: LeadList) => setDialog({ kind: 'export', list, chosen: undefined }),
      onRename: (list: LeadList) => setDialog({ kind: 'rename', list }),
      onDuplicate,
      onCopyLeads: (list: LeadList) => setDialog({ kind: 'copy', list, chosen: undefined }),
      onMerge: (list: LeadList) => setDialog({ kind: 'merge', list }),
      onArchive,
      onRestore,
      onDelete: (list: LeadList) => setDialog({ kind: 'delete', list }),
    }),
    [retry, onDuplicate, onArchive, onRestore],
  );

  return {
    keys,
    isConnected,
    failure,
    mend,
    lastRun: (list: LeadList) => lastRun(list.id),
    /** Does the work of a run again: all of it, or, with `finish`, what it has left. */
    again: (list: LeadList, work: Work, finish: boolean) => setDialog({ kind: 'retry', list, work, finish }),
    newSearch: (defaults?: SearchForm) => setDialog({ kind: 'search', defaults }),
    checkSelected: (list: LeadList, chosen: ChosenLeads) => setDialog({ kind: 'compliance', list, chosen }),
    enrichSelected: (list: LeadList, chosen: ChosenLeads) => setDialog({ kind: 'enrich', list, chosen }),
    copySelected: (list: LeadList, chosen: ChosenLeads) => setDialog({ kind: 'copy', list, chosen }),
    moveSelected: (list: LeadList, chosen: ChosenLeads, onRemoved: () => void) =>
      setDialog({ kind: 'copy', list, chosen, onRemoved }),
    deleteSelected: (list: LeadList, chosen: ChosenLeads, onRemoved: () => void) =>
      setDialog({ kind: 'delete-leads', list, chosen, onRemoved }),
    exportSelected: (list: LeadList, chosen: ChosenLeads) => setDialog({ kind: 'export', list, chosen }),
    handlers,
    dialogs: (
      <Suspense fallback={null}>
        {dialog || connecting ? (
          <ListDialogs
            dialog={dialog}
            lists={lists}
            isConnected={isConnected}
            changes={changes}
            connecting={connecting}
            connected={connecting && keyOf(keys.data, connecting)}
            onConnect={setConnecting}
            onSearch={startSearch}
            onNewSearch={(defaults) => setDialog({ kind: 'search', defaults })}
            onEnrich={startEnrichment}
            onVerify={(list, chosen) => setDialog({ kind: 'enrich', list, chosen, verify: true })}
            onCheck={startCheck}
            onRetry={repeat}
            onDeleted={onDeleted}
            onClose={() => setDialog(undefined)}
          />
        ) : null}
      </Suspense>
    ),
  };
}

function useMounted(): { readonly current: boolean } {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
