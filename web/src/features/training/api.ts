import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  deleteTrainingEndpoint,
  listTrainingEndpoint,
  listTrainingForEditorEndpoint,
  saveTrainingEndpoint,
  setVideoLoadingEndpoint,
  type TrainingPage,
} from '#contract/admin/training.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readCopy, type Training, writeCopy } from './stored-copy.ts';

const trainingKeys = {
  all: ['training'] as const,
  videos: ['training', 'videos'] as const,
  editor: ['training', 'editor'] as const,
};

async function readVideos(endpoint: typeof listTrainingEndpoint, signal: AbortSignal): Promise<Training> {
  const training = await callApi(endpoint, { signal });
  writeCopy(training);
  return training;
}

/** For how long a reading counts as new, in ms: videos change seldom, and every page asks. */
const STALE_MS = 300_000;

const videosQuery = queryOptions({
  queryKey: trainingKeys.videos,
  queryFn: ({ signal }) => readVideos(listTrainingEndpoint, signal),
  initialData: readCopy,
  // However new the copy is, the server is asked once after each sign-in.
  initialDataUpdatedAt: 0,
  staleTime: STALE_MS,
});

/** The training videos: this browser's copy first, then what the server has. */
export function useTrainingVideos() {
  const { status } = useSession();
  return useQuery({ ...videosQuery, enabled: status === 'signed_in' });
}

/** The training videos for those who may change them; refused with FORBIDDEN for everyone else. */
export function useEditableVideos() {
  const { status } = useSession();
  return useQuery({
    queryKey: trainingKeys.editor,
    queryFn: ({ signal }) => readVideos(listTrainingForEditorEndpoint, signal),
    enabled: status === 'signed_in',
  });
}

/** Reads the videos again. After a failure no one waits for it, so that the reason is told at once. */
function useReload() {
  const queries = useQueryClient();
  return (_data: unknown, error: Error | null): Promise<void> | undefined => {
    const reading = queries.invalidateQueries({ queryKey: trainingKeys.all });
    return error ? undefined : reading;
  };
}

/** Gives a page its video. */
export function useSaveTraining() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof saveTrainingEndpoint>) => callApi(saveTrainingEndpoint, { body }),
    onSettled: useReload(),
  });
}

/** Takes a page's video away. */
export function useDeleteTraining() {
  return useMutation({
    mutationFn: (pageKey: TrainingPage) => callApi(deleteTrainingEndpoint, { body: { pageKey } }),
    onSettled: useReload(),
  });
}

/** Chooses for everyone whether videos load only after a click. */
export function useSetVideoLoading() {
  return useMutation({
    mutationFn: (afterClick: boolean) => callApi(setVideoLoadingEndpoint, { body: { afterClick } }),
    onSettled: useReload(),
  });
}
