/** A video at one of the two places that may play in our pages. */
export type Video =
  | { provider: 'youtube'; id: string; startSeconds: number | undefined }
  /** `hash` opens a video that is not listed publicly. */
  | { provider: 'vimeo'; id: string; hash: string | undefined; startSeconds: number | undefined };

/**
 * The video that an address of YouTube or Vimeo names, in any form that people copy. The scheme may be missing. Of code
 * for embedding, only the address is used. Undefined for everything else.
 */
export function parseVideoUrl(text: string): Video | undefined {
  const url = URL.parse(withScheme(addressIn(text.trim())));
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (YOUTUBE_HOSTS.has(url.host) || YOUTUBE_SHORT_HOSTS.has(url.host)) return youtubeVideo(url);
  if (VIMEO_HOSTS.has(url.host) || url.host === VIMEO_PLAYER_HOST) return vimeoVideo(url);
  return undefined;
}

const YOUTUBE_HOSTS = new Set(
  ['youtube.com', 'youtube-nocookie.com'].flatMap((host) => [host, `www.${host}`, `m.${host}`, `music.${host}`]),
);
const YOUTUBE_SHORT_HOSTS = new Set(['youtu.be', 'www.youtu.be']);
const VIMEO_HOSTS = new Set(['vimeo.com', 'www.vimeo.com']);
const VIMEO_PLAYER_HOST = 'player.vimeo.com';

const YOUTUBE_ID = /^[\w-]{11}$/;
/** As long as an id, but the players of a playlist and of a channel. */
const NOT_YOUTUBE_IDS = new Set(['videoseries', 'live_stream']);
const YOUTUBE_PATH = /^\/(?:shorts|live|embed|v|e|watch)\/([^/]+)\/?$/;

const VIMEO_PATH =
  /^\/(?:(?:channels\/[^/]+|groups\/[^/]+\/videos|(?:showcase|album)\/[^/]+\/video|manage\/videos)\/)?(\d{1,12})(?:\/([\da-f]{6,40}))?\/?$/i;
const VIMEO_PLAYER_PATH = /^\/video\/(\d{1,12})\/?$/;
const VIMEO_HASH = /^[\da-f]{6,40}$/i;

/** The `src` of the first frame when the text is code for embedding; else the text itself. */
function addressIn(text: string): string {
  if (!text.startsWith('<')) return text;
  const source = /<iframe\s(?:[^>]*?\s)?src\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(text);
  return (source?.[1] ?? source?.[2] ?? '').replaceAll('&amp;', '&').trim();
}

function withScheme(address: string): string {
  if (address.startsWith('//')) return `https:${address}`;
  return /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `https://${address}`;
}

function youtubeVideo(url: URL): Video | undefined {
  const id = YOUTUBE_SHORT_HOSTS.has(url.host)
    ? /^\/([^/]+)\/?$/.exec(url.pathname)?.[1]
    : (YOUTUBE_PATH.exec(url.pathname)?.[1] ?? (/^\/watch\/?$/.test(url.pathname) ? url.searchParams.get('v') : ''));
  if (!id || !YOUTUBE_ID.test(id) || NOT_YOUTUBE_IDS.has(id)) return undefined;
  return { provider: 'youtube', id, startSeconds: startOf(url) };
}

function vimeoVideo(url: URL): Video | undefined {
  const path = url.host === VIMEO_PLAYER_HOST ? VIMEO_PLAYER_PATH : VIMEO_PATH;
  const [, id, hash = url.searchParams.get('h') ?? undefined] = path.exec(url.pathname) ?? [];
  if (!id || (hash !== undefined && !VIMEO_HASH.test(hash))) return undefined;
  return { provider: 'vimeo', id, hash, startSeconds: startOf(url) };
}

/** Where to start: `t=90`, `t=1m30s` or `start=90`, also behind the #. */
function startOf({ searchParams, hash }: URL): number | undefined {
  const behind = new URLSearchParams(hash.slice(1));
  const text = searchParams.get('t') ?? searchParams.get('start') ?? behind.get('t') ?? '';
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined;
}
