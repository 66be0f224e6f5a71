import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import type { ProviderId } from '#contract/providers.ts';
import { budgetsQuery } from '#web/features/budgets/api.ts';
import { complianceKeys } from '#web/features/compliance/api.ts';
import { leadKeys } from '#web/features/leads/api.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { runKeys } from '#web/features/runs/api.ts';
import { runToastId } from '#web/features/runs/run-end.ts';
import type { Failure } from '#web/features/runs/run-words.ts';
import { ApiError, errorMessage } from '#web/lib/api-error.ts';
import { rememberReturnTo } from '#web/lib/return-to.ts';
import { toast } from '#web/ui/toast.ts';
import { failureNews, isCut, type Job, PROVIDER_OF, perform } from './job.ts';

const JOB_KEY = ['list-job'];
const REFUSALS_KEY = ['refusals'];

/** Refusals that another key mends. They leave no run behind that could tell of them. */
const WANTS_ANOTHER_KEY: ReadonlySet<string> = new Set(['MISSING_API_KEY', 'SANDBOX_MISMATCH']);

/** Ends that were asked for: by a press on Cancel, or by what the run was allowed to cost. */
const STOPPED: Readonly<Record<string, string>> = {
  RUN_CANCELLED: 'Cancelled',
  BOUND_REACHED: 'Stopped at its limit',
};

/** Ids of the lists that this page has asked the server to work on, and that have not been answered yet. */
export function usePendingLists(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: JOB_KEY, status: 'pending' },
    select: (mutation) => (mutation.state.variables as Job | undefined)?.listId,
  });
  return new Set(ids.filter((id) => id !== undefined));
}

/** Why the server refused work on a list, by list id. A refusal leaves no run that could tell it. */
export function useRefusals(): Record<string, Failure> {
  const { data } = useQuery<Record<string, Failure>>({
    queryKey: REFUSALS_KEY,
    queryFn: () => ({}),
    initialData: {},
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Hands work to the server, follows it and tells how it ended, wherever the user is by then. */
export function useJobs(onConnectKey: (provider: ProviderId) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();

  const refetch = (job: Job) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: listKeys.all }),
      queries.invalidateQueries({ queryKey: leadKeys.ofList(job.listId) }),
      queries.invalidateQueries({ queryKey: runKeys.all }),
      queries.invalidateQueries({ queryKey: complianceKeys.all }),
      queries.invalidateQueries({ queryKey: budgetsQuery.queryKey }),
    ]);
  const remember = (listId: string, refusal: Failure | undefined) =>
    queries.setQueryData<Record<string, Failure>>(REFUSALS_KEY, (known = {}) => {
      const { [listId]: _, ...others } = known;
      return refusal ? { ...others, [listId]: refusal } : others;
    });

  const { mutateAsync } = useMutation({
    mutationKey: JOB_KEY,
    mutationFn: perform,
    onMutate: (job) => remember(job.listId, undefined),
    onSuccess({ title, text, empty }, job) {
      const id = runToastId(job.listId, job.kind);
      // Whoever is elsewhere may have been told by now, with the way to the list.
      if (!toast.isShown(id)) toast[empty ? 'info' : 'success'](title, text, undefined, id);
    },
    onError: (error, job) => {
      if (isCut(error)) {
        toast.info('Connection lost', 'If the server has received it, it goes on by itself. The list follows it.');
        return;
      }
      const stopped = error instanceof ApiError ? STOPPED[error.code] : undefined;
      if (stopped) {
        toast.info(stopped, errorMessage(error));
        return;
      }
      const news = failureNews(job.kind, error);
      if (!(error instanceof ApiError) || !(error.code === 'BUDGET_EXCEEDED' || WANTS_ANOTHER_KEY.has(error.code))) {
        toast.error(news.title, news.text, undefined, runToastId(job.listId, job.kind));
      } else {
        const leadIds = job.kind === 'compliance' ? job.leadIds : undefined;
        remember(job.listId, { kind: job.kind, reason: news.text, code: error.code, leadIds });
        const action =
          error.code === 'BUDGET_EXCEEDED'
            ? { label: 'See budgets', onClick: () => void navigate('/settings#budgets') }
            : { label: 'Connect key', onClick: () => onConnectKey(PROVIDER_OF[job.kind]) };
        toast.error(news.title, news.text, action);
      }
      if (error instanceof ApiError && error.kind === 'unauthenticated' && job.kind === 'search') {
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

  /** Resolves to whether it went well. The same work on the same list is never asked for twice at a time. */
  const start = async (job: Job): Promise<boolean> => {
    if (isPending(job)) return false;
    try {
      await mutateAsync(job);
      return true;
    } catch {
      return false;
    }
  };
  return { start, forgetRefusal: (listId: string) => remember(listId, undefined) };
}
