import { z } from 'zod/mini';
import { type Channel, subTopicOf } from './channel.ts';
import type { Hub } from './hub.ts';
import { identify } from './identify.ts';
import { Refusal } from './refusal.ts';
import { findRights } from './rights.ts';

const Renewal = z.object({ access_token: z.nullish(z.string()) });

/**
 * Goes on with a newer token, without leaving the channel. A token that is not accepted ends it, as does one of someone else or
 * without the right to listen.
 */
export async function renewToken(hub: Hub, channel: Channel, payload: unknown): Promise<void> {
  const { data: given } = Renewal.safeParse(payload);
  try {
    const { caller, expiresAt } = await identify(hub, given?.access_token);
    if (caller.userId !== channel.caller.userId) throw new Refusal('Unauthorized', 'The token belongs to someone else');
    const rights = channel.isPrivate ? await findRights(hub, subTopicOf(channel.topic), caller) : channel.rights;
    if (!rights.listen)
      throw new Refusal('Unauthorized', 'You do not have permissions to read from this Channel topic');
    Object.assign(channel, { caller, expiresAt, rights });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.drop(channel, error.message);
  }
}
