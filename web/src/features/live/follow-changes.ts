import { LIVE_CHANNEL, LiveMessage } from '#contract/live.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';

/** After how long a channel that the server has closed is asked for again, in ms. What only breaks, the client mends by itself. */
const AGAIN_MS = 2_000;

export type Follower = {
  onMessage(message: LiveMessage): void;
  /** Whether changes are told from now on; called again each time they have begun to be. */
  onLive(live: boolean): void;
};

/**
 * Listens to what happens to the user's lists, on their own channel, for as long as it can be had. Returns how to stop.
 * A session that has ended waits for the user's next act. A page that signs out by itself would lose what the user is
 * typing.
 */
export function followChanges(userId: string, { onMessage, onLive }: Follower): () => void {
  const topic = LIVE_CHANNEL.of(userId);
  let stopped = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let leave = () => {};

  const join = async () => {
    const realtime = await (await getSupabase()).realtime();
    // One that was left a moment ago may still be on its way out.
    for (const former of realtime.getChannels()) if (former.subTopic === topic) await realtime.removeChannel(former);
    await realtime.setAuth();
    if (stopped) return;
    const channel = realtime
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: LIVE_CHANNEL.event }, ({ payload }) => {
        const { data: message } = LiveMessage.safeParse(payload);
        // What a newer server tells in other words is asked for instead.
        if (message) onMessage(message);
        else onLive(false);
      })
      .subscribe((status) => {
        if (stopped) return;
        onLive(status === 'SUBSCRIBED');
        if (status === 'CLOSED') again = setTimeout(start, AGAIN_MS);
      });
    leave = () => void realtime.removeChannel(channel);
  };
  const start = () => {
    join().catch(() => {
      if (!stopped) again = setTimeout(start, AGAIN_MS);
    });
  };
  // The page reads what it shows first: the socket and its library come after that.
  void whenQuiet().then(() => stopped || start());
  return () => {
    stopped = true;
    clearTimeout(again);
    leave();
  };
}
