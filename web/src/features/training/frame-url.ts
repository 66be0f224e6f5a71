import type { Video } from '#contract/admin/video-url.ts';

/** The address of a player that follows no one: YouTube's without cookies, Vimeo's with dnt. `autoplay`: whether it starts by itself. */
export function frameUrl(video: Video, { autoplay }: { autoplay: boolean }): string {
  const { id, startSeconds } = video;
  if (video.provider === 'youtube') {
    const query = new URLSearchParams({ ...(autoplay ? { autoplay: '1' } : {}), rel: '0' });
    if (startSeconds !== undefined) query.set('start', String(startSeconds));
    return `https://www.youtube-nocookie.com/embed/${id}?${query}`;
  }
  const query = new URLSearchParams({ dnt: '1', ...(autoplay ? { autoplay: '1' } : {}) });
  if (video.hash !== undefined) query.set('h', video.hash);
  return `https://player.vimeo.com/video/${id}?${query}${startSeconds === undefined ? '' : `#t=${startSeconds}s`}`;
}

export const PLAYER_NAMES: Record<Video['provider'], string> = { youtube: 'YouTube', vimeo: 'Vimeo' };
