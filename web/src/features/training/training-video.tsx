import { CirclePlay } from 'lucide-react';
import type { TrainingConfig } from '#contract/admin/training.ts';
import { parseVideoUrl } from '#contract/admin/video-url.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Dialog, DialogBody, DialogContent, DialogTrigger } from '#web/ui/overlay/dialog.tsx';
import { VideoPlayer } from './video-player.tsx';

/** The button that opens a page's training video. Nothing, if its address is of no player that may be framed. */
export function TrainingVideo({
  config,
  afterClick,
  className,
}: {
  config: TrainingConfig;
  /** Whether the player is fetched only after a click. */
  afterClick: boolean;
  className: string | undefined;
}) {
  const video = parseVideoUrl(config.embedCode);
  if (!video) return null;
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
          <VideoPlayer video={video} title={config.title} afterClick={afterClick} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
