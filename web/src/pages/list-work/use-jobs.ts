import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { apiKeysQuery } from '#web/features/api-keys/api.ts';
import { budgetsQuery } from '#web/features/budgets/api.ts';
import { complianceKeys } from '#web/features/compliance/api.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { runKeys, runsOfListQuery } from '#web/features/runs/api.ts';
import { beginNews, type News as ListNews, tellNews } from '#web/features/runs/news.tsx';
import { type Remedy, remedyOf } from '#web/features/runs/remedy.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { rememberReturnTo } from '#web/lib/session/return-to.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { failureNews, isCut, isFailedStart, isSignedOut, type Job, perform, workOfJob } from './job.ts';
import { useRefusals } from './use-refusals.ts';

const JOB_KEY = ['list-job'];

/** Ends that are no failures: by a press on Cancel, by what the run was allowed to cost, or because another price was shown. */
const STOPPED: Readonly<Record<string, string>> = {
  RUN_CANCELLED: 'Canceled',
  BOUND_REACHED: 'Stopped at its limit',
  QUOTE_CHANGED: 'Not started',
};

/** What became of a request. Two of these began nothing: what was typed is to be kept. */
export type Taken = 'taken' | 'signed_out' | 'quote_changed';

/** Ids of the lists that this page has asked the server to work on, and that have not been answered yet. */
export function usePendingLists(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: JOB_KEY, status: 'pending' },
    select: (mutation) => (mutation.state.variables as Job | undefined)?.listId,
  });
  return new Set(ids.filter((id) => id !== undefined));
}

/** Hands work to the server, follows it and tells how it ended, wherever the user is by then. */
export function useJobs(onRemedy: (remedy: Remedy, listId: string) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const { remember, forget } = useRefusals();

  const refetch = (job: Job) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: listKeys.all }),
      queries.invalidateQueries({ queryKey: leadKeys.ofList(job.listId) }),
      queries.invalidateQueries({ queryKey: runKeys.all }),
      queries.invalidateQueries({ queryKey: complianceKeys.all }),
      queries.invalidateQueries({ queryKey: budgetsQuery.queryKey }),
      // A key may have been removed elsewhere.
      queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
    ]);
  const listOf = ({ listId }: Job) =>
    queries.getQueryData<LeadList[]>(listKeys.all)?.find((list) => list.id === listId);
  const tell = (job: Job, news: Pick<ListNews, 'run' | 'tone' | 'title' | 'text' | 'remedy'>) =>
    tellNews({
      ...news,
      kind: job.kind,
      list: { id: job.listId, name: listOf(job)?.name ?? '' },
      onView: () => void navigate(`/lists/${job.listId}`),
    });

  /** Whether a run of this work goes on, or went well, although the answer says otherwise: a proxy may have lost patience. */
  const goesOn = async ({ listId, kind }: Job, run: string | undefined, since: string): Promise<boolean> => {
    const runs = await queries
      .fetchQuery({ ...runsOfListQuery(listId, false), staleTime: 0, retry: false })
      .catch(() => []);
    const begun = runs.find((one) =>
      run === undefined ? one.kind === kind && Date.parse(one.createdAt) > Date.parse(since) : one.id === run,
    );
    return begun !== undefined && begun.state !== 'failed' && begun.state !== 'cancelled';
  };

  const { mutateAsync } = useMutation({
    mutationKey: JOB_KEY,
    mutationFn: perform,
    onMutate: (job) => {
      forget(job.listId, job.kind);
      beginNews(job);
      return { since: listOf(job)?.updatedAt ?? new Date(0).toISOString() };
    },
    onSuccess: (news, job) => {
      if (!news) return;
      const { run, title, text, empty } = news;
      tell(job, { run, tone: empty ? 'info' : 'success', title, text });
    },
    onError: async (error, job, begun) => {
      const since = begun?.since ?? new Date(0).toISOString();
      const refused = error instanceof ApiError ? error : undefined;
      if (isCut(error) || (refused && refused.status >= 500 && (await goesOn(job, refused.run, since)))) {
        toast.info(
          'Connection lost',
          'If the server received the request, the work continues. The list shows its progress.',
        );
        return;
      }
      const stopped = refused && STOPPED[refused.code];
      if (stopped) {
        tell(job, { run: refused.run, tone: 'info', title: stopped, text: errorMessage(error) });
        return;
      }
      const { title, text } = failureNews(job, error);
      if (refused && isFailedStart(refused, job))
        remember(job.listId, { work: workOfJob(job), reason: text, code: refused.code || undefined, since });
      const remedy = remedyOf(job.kind, refused?.code);
      tell(job, {
        run: refused?.run,
        tone: 'error',
        title,
        text,
        remedy: remedy && { label: remedy.label, onClick: () => onRemedy(remedy, job.listId) },
      });
      if (refused?.kind === 'unauthenticated' && job.kind === 'search') {
        rememberReturnTo(`${location.pathname}${location.search}`);
        void navigate('/login');
      }
    },
    onSettled: (_news, _error, job) => refetch(job),
  });

  const isPending = (job: Job) =>
    queries.isMutating({
      mutationKey: JOB_KEY,
      predicate: ({ state }) => {
        const other = state.variables as Job | undefined;
        return other?.listId === job.listId && other.kind === job.kind;
      },
    }) > 0;

  /** The same work on the same list is never asked for twice at a time. */
  const start = async (job: Job): Promise<Taken> => {
    if (isPending(job)) return 'taken';
    try {
      await mutateAsync(job);
      return 'taken';
    } catch (error) {
      if (isSignedOut(error)) return 'signed_out';
      return error instanceof ApiError && error.code === 'QUOTE_CHANGED' ? 'quote_changed' : 'taken';
    }
  };
  return { start };
}
