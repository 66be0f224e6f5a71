import type { SupabaseClient } from '@supabase/supabase-js';
import { LIVE_CHANNEL, LiveMessage } from '#contract/live.ts';

/** Someone's lists as an open page knows them. */
export type FollowedLists = {
  /** Names by id, as they are known now. */
  names(): Map<string, string>;
  /** How often it began to be told. */
  joined(): number;
};

/** Takes what it is told, and reads everything whenever it begins to be told, as the app does. `onAway`: it is no longer told. */
export async function followLists(client: SupabaseClient, userId: string, onAway: () => void): Promise<FollowedLists> {
  let names = new Map<string, string>();
  let joined = 0;
  let last = Promise.resolve();
  const inTurn = (work: () => void | Promise<void>) => {
    last = last.then(work);
  };
  const readAll = async () => {
    const { data } = await client.from('lists').select('id, name').throwOnError();
    names = new Map(data.map(({ id, name }) => [String(id), String(name)]));
  };
  const take = (message: LiveMessage) => {
    if (message.kind === 'missed') return inTurn(readAll);
    for (const { listId, list } of message.changes)
      inTurn(() => {
        if (list) names.set(listId, list.name);
        else names.delete(listId);
      });
  };
  await client.realtime.setAuth();
  client
    .channel(LIVE_CHANNEL.of(userId), { config: { private: true } })
    .on('broadcast', { event: LIVE_CHANNEL.event }, ({ payload }) => take(LiveMessage.parse(payload)))
    .subscribe((status) => {
      if (status !== 'SUBSCRIBED') return onAway();
      joined += 1;
      inTurn(readAll);
    });
  return { names: () => names, joined: () => joined };
}
