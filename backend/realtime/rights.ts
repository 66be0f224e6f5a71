import type { VerifiedToken } from '#backend/data/caller.ts';
import type { Rights } from './channel.ts';
import type { RealtimeOptions } from './options.ts';

export const ALL_RIGHTS: Rights = { listen: true, speak: true, watchPresence: true, bePresent: true };

/** What the policies of realtime.messages let someone do in a private topic, named without `realtime:`. */
export async function findRights(
  { pool }: Pick<RealtimeOptions, 'pool'>,
  subTopic: string,
  { claims }: VerifiedToken,
): Promise<Rights> {
  const { rows } = await pool.query<{ reads: string[]; writes: string[] }>('select * from realtime.rights($1, $2)', [
    subTopic,
    JSON.stringify(claims),
  ]);
  const { reads = [], writes = [] } = rows[0] ?? {};
  return {
    listen: reads.includes('broadcast'),
    speak: writes.includes('broadcast'),
    watchPresence: reads.includes('presence'),
    bePresent: writes.includes('presence'),
  };
}
