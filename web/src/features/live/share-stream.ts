import { LIVE_BEAT_MS, type LiveMessage } from '#contract/live.ts';
import { type Follower, followStream } from './follow-stream.ts';

/** A tab that holds the stream shows itself at least every LIVE_BEAT_MS. Without that for this long, in ms, it is not relied on. */
const SILENCE_MS = 2.5 * LIVE_BEAT_MS;

/** What tabs tell each other. `hello`: somebody new asks whether there is a stream. */
type Told = LiveMessage | { kind: 'beat' } | { kind: 'down' };
type Asked = { kind: 'hello' };

export type Sharer = {
  onMessage(message: LiveMessage): void;
  /** Whether changes are told from now on. */
  onLive(live: boolean): void;
};

/**
 * Listens to what happens to the user's lists over one stream for all tabs of the browser, because a browser keeps only six connections
 * to a server without HTTP/2. The tab that holds the lock holds the stream and tells the others; when it is closed, another gets
 * the lock. Where there are no locks (pages without TLS), nothing is listened to. Answers how to stop.
 */
export function shareStream(userId: string, { onMessage, onLive }: Sharer): () => void {
  if (typeof BroadcastChannel === 'undefined' || !('locks' in navigator)) return () => {};
  const name = `fairlead-live:${userId}`;
  const stopping = new AbortController();
  const channel = new BroadcastChannel(name);
  let silence: ReturnType<typeof setTimeout> | undefined;
  let holds = false;
  let hasHeard = false;

  const setLive = (live: boolean) => {
    clearTimeout(silence);
    if (live) silence = setTimeout(onLive, SILENCE_MS, false);
    onLive(live);
  };
  const hear = (told: Told) => {
    const isFirst = !hasHeard;
    hasHeard = true;
    switch (told.kind) {
      case 'down':
        return setLive(false);
      case 'beat':
        return setLive(true);
      case 'ready':
        setLive(true);
        // A stream that has come back does not tell what happened meanwhile.
        if (!isFirst) onMessage({ kind: 'missed' });
        return;
      default:
        setLive(true);
        onMessage(told);
    }
  };
  const tell = (told: Told) => {
    channel.postMessage(told);
    hear(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told | Asked>) => {
    if (data.kind !== 'hello') hear(data);
    else if (holds) channel.postMessage({ kind: 'beat' } satisfies Told);
  };
  channel.postMessage({ kind: 'hello' } satisfies Asked);

  const follower: Follower = {
    onMessage(message) {
      holds = true;
      tell(message);
    },
    onBeat: () => tell({ kind: 'beat' }),
    onDown() {
      holds = false;
      tell({ kind: 'down' });
    },
  };
  navigator.locks
    .request(name, { signal: stopping.signal }, () => followStream(follower, stopping.signal))
    .catch(() => {}); // given up while it waited
  return () => {
    stopping.abort();
    clearTimeout(silence);
    channel.close();
  };
}
