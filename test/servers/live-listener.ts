import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { vi } from 'vitest';
import { LIVE_CHANNEL, type ListChange, LiveMessage } from '#contract/live.ts';

/** Someone who listens to what happens to their lists, as a page does. */
export type LiveListener = {
  channel: RealtimeChannel;
  messages: LiveMessage[];
  /** When each of them came, in ms. */
  times: number[];
  /** What has become of the channel, in order. */
  statuses: string[];
  /** What the messages have told of a list, in order. */
  of(listId: string): ListChange[];
};

/** Resolves with the first thing that becomes of the channel: `SUBSCRIBED`, or why not. */
export async function listenToLists(client: SupabaseClient, userId: string): Promise<LiveListener> {
  const messages: LiveMessage[] = [];
  const times: number[] = [];
  const statuses: string[] = [];
  await client.realtime.setAuth();
  const channel = client
    .channel(LIVE_CHANNEL.of(userId), { config: { private: true } })
    .on('broadcast', { event: LIVE_CHANNEL.event }, ({ payload }) => {
      messages.push(LiveMessage.parse(payload));
      times.push(performance.now());
    })
    .subscribe((status, error) => void statuses.push(error ? `${status} ${error.message}` : status));
  await vi.waitUntil(() => statuses.length > 0, { timeout: 15_000 });
  return {
    channel,
    messages,
    times,
    statuses,
    of: (listId) =>
      messages.flatMap((one) =>
        one.kind === 'changed' ? one.changes.filter((change) => change.listId === listId) : [],
      ),
  };
}
