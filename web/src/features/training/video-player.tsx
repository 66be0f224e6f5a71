import { Play } from 'lucide-react';
import { useState } from 'react';
import type { Video } from '#contract/admin/video-url.ts';
import { frameUrl, PLAYER_NAMES } from './frame-url.ts';

/** A video that loads at once, or with `afterClick` only after a press on Play. Before that, nothing is loaded from its provider. */
export function VideoPlayer({ video, title, afterClick }: { video: Video; title: string; afterClick: boolean }) {
  const [pressed, setPressed] = useState(false);
  if (pressed || !afterClick) {
    return (
      <iframe
        ref={pressed ? takeFocus : undefined}
        src={frameUrl(video, { autoplay: pressed })}
        title={title}
        // YouTube refuses to play for a page that does not say which site it is of.
        referrerPolicy="strict-origin-when-cross-origin"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        allowFullScreen
        className="aspect-video w-full rounded-lg border bg-background"
      />
    );
  }
  return (
    <button
      type="button"
      onClick={() => setPressed(true)}
      className="group grid aspect-video w-full place-content-center justify-items-center gap-3 rounded-lg border bg-muted px-4 transition-colors hover:bg-hover"
    >
      <span className="grid size-14 place-items-center rounded-full bg-accent text-accent-foreground transition-colors group-hover:bg-accent-hover">
        <Play aria-hidden className="size-6 translate-x-0.5 fill-current" />
      </span>
      <span className="font-medium">Play video</span>
      <span className="text-secondary text-sm">
        From {PLAYER_NAMES[video.provider]}; nothing is loaded until you play it.
      </span>
    </button>
  );
}

/** The button that had the focus is gone. */
const takeFocus = (frame: HTMLIFrameElement | null): void => frame?.focus();
