import { queryOptions, useQuery } from '@tanstack/react-query';
import { listTrainingEndpoint } from '#contract/admin/training.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { useDrawn } from '#web/lib/query/use-drawn.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readCopy, type Training, writeCopy } from './stored-copy.ts';

export const trainingKeys = {
  all: ['training'] as const,
  videos: ['training', 'videos'] as const,
  editor: ['training', 'editor'] as const,
};

/** Keeps a reading as this browser's copy. */
export function kept(training: Training): Training {
  writeCopy(training);
  return training;
}

/** For how long a reading counts as new, in ms: videos change seldom, and every page asks. */
const STALE_MS = 300_000;

const videosQuery = queryOptions({
  queryKey: trainingKeys.videos,
  queryFn: async ({ signal }) => kept(await callApi(listTrainingEndpoint, { signal })),
  initialData: readCopy,
  // However new the copy is, the server is asked once after each sign-in.
  initialDataUpdatedAt: 0,
  staleTime: STALE_MS,
});

/** The training videos: this browser's copy first, then what the server has. */
export function useTrainingVideos() {
  const { status } = useSession();
  const drawn = useDrawn();
  return useQuery({ ...videosQuery, enabled: status === 'signed_in' && drawn });
}
