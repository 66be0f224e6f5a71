import { CirclePlay } from 'lucide-react';
import type { TrainingPage } from '#contract/training.ts';
import { parseVideoUrl } from '#contract/video-url.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Dialog, DialogBody, DialogContent, DialogTrigger } from '#web/ui/dialog.tsx';
import { useTrainingVideos } from './api.ts';
import { VideoPlayer } from './video-player.tsx';

/** Opens the training video of a page. Nothing is shown while the page has none, or none that is active. */
export function TrainingVideoButton({ page, className }: { page: TrainingPage; className?: string }) {
  const { data } = useTrainingVideos();
  const config = data?.videos[page];
  const video = config?.isActive ? parseVideoUrl(config.embedCode) : undefined;
  if (!config || !video) return null;
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button className={cn('max-w-full shrink sm:max-w-72', className)}>
          <CirclePlay aria-hidden />
          <span dir="auto" className="min-w-0 truncate">
            {config.title}
          </span>
        </Button>
      </DialogTrigger>
      <DialogContent title={<bdi>{config.title}</bdi>} size="xl">
        <DialogBody>
          <VideoPlayer video={video} title={config.title} afterClick={data?.afterClick ?? false} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
