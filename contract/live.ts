import { z } from 'zod/mini';
import { ListRow } from './work/lists.ts';
import { Run } from './work/runs.ts';

/** A list as it is now, with those of its runs that have changed. */
export const ListChange = z.object({
  listId: z.string(),
  /** Null once the list is deleted. */
  list: z.nullable(ListRow),
  runs: z.array(Run),
});
export type ListChange = z.infer<typeof ListChange>;

/** `missed`: some changes could not be told, so that lists and runs have to be read again. */
export const LiveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), changes: z.array(ListChange) }),
  z.object({ kind: z.literal('missed') }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

const PREFIX = 'lists:';

/** The private Realtime channel on which someone is told what happens to their lists. Only the server speaks there. */
export const LIVE_CHANNEL = {
  prefix: PREFIX,
  of: (userId: string): string => `${PREFIX}${userId}`,
  /** The event of its broadcasts, each of which carries a LiveMessage. */
  event: 'lists',
};
