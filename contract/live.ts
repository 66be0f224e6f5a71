import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ListRow } from './lists.ts';
import { Run } from './runs.ts';

/** A list as it is now, with those of its runs that have changed. */
export const ListChange = z.object({
  listId: z.string(),
  /** Null once the list is deleted. */
  list: z.nullable(ListRow),
  runs: z.array(Run),
});
export type ListChange = z.infer<typeof ListChange>;

/**
 * `ready`: from now on, changes are told. `changed`: some have come. `missed`: some could not be told, so that lists and runs have
 * to be read again.
 */
export const LiveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('changed'), changes: z.array(ListChange) }),
  z.object({ kind: z.literal('missed') }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

/** How often a stream that has nothing to tell shows that it is alive, in ms. */
export const LIVE_BEAT_MS = 20_000;

/** What happens to the caller's lists, for as long as it is listened to: server-sent events, each of which is one message. */
export const liveChanges = endpoint({ method: 'GET', path: '/api/events', data: LiveMessage });
