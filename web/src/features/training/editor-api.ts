import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TrainingPage } from '#contract/admin/training.ts';
import {
  deleteTrainingEndpoint,
  listTrainingForEditorEndpoint,
  saveTrainingEndpoint,
  setVideoLoadingEndpoint,
} from '#contract/admin/training-editor.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { kept, trainingKeys } from './api.ts';

/** The training videos for those who may change them; refused with FORBIDDEN for everyone else. */
export function useEditableVideos() {
  const { status } = useSession();
  return useQuery({
    queryKey: trainingKeys.editor,
    queryFn: async ({ signal }) => kept(await callApi(listTrainingForEditorEndpoint, { signal })),
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
