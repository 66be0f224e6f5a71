import { lazy, Suspense } from 'react';
import type { TrainingPage } from '#contract/admin/training.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { useTrainingVideos } from './api.ts';

// Most pages have none: the player and its dialog come with the first that has one.
const TrainingVideo = lazy(async () => ({
  default: (await loadAgain(() => import('./training-video.tsx'), 'TrainingVideo')).TrainingVideo,
}));

/** Opens the training video of a page. Nothing is shown while the page has none, or none that is active. */
export function TrainingVideoButton({ page, className }: { page: TrainingPage; className?: string }) {
  const { data } = useTrainingVideos();
  const config = data?.videos[page];
  if (!config?.isActive) return null;
  return (
    <Suspense fallback={null}>
      <TrainingVideo config={config} afterClick={data?.afterClick ?? false} className={className} />
    </Suspense>
  );
}
