import { z } from 'zod/mini';
import { Binding } from './changes/binding.ts';
import { readBinding, type Subscription } from './changes/subscription.ts';
import { type Channel, type Peer, subTopicOf, tellEnd, tellSystem } from './channel.ts';
import type { Hub } from './hub.ts';
import { type Identified, verify, withSession } from './identify.ts';
import { leave } from './leave.ts';
import { Refusal } from './refusal.ts';
import { ALL_RIGHTS, findRights } from './rights.ts';
import type { Frame } from './wire/frame.ts';

const flag = z.nullish(z.boolean());
const Join = z.object({
  access_token: z.nullish(z.string()),
  config: z.nullish(
    z.object({
      broadcast: z.nullish(z.object({ self: flag, ack: flag })),
      presence: z.nullish(z.object({ enabled: flag, key: z.nullish(z.string()) })),
      private: flag,
      postgres_changes: z.nullish(z.array(Binding)),
      postgres_changes_options: z.nullish(z.object({ wait: flag })),
    }),
  ),
});

/**
 * Lets a socket into a topic, in the name of a person, and replies. What a subscription to changes is refused for is told
 * afterwards, unless the client has said that it waits for them.
 * @throws Refusal
 */
export async function join(
  hub: Hub,
  peer: Peer,
  { topic, joinRef, payload }: Frame,
  reply: (response: object) => void,
): Promise<void> {
  const { limits } = hub;
  const { data: asked, error } = Join.safeParse(payload ?? {});
  if (!asked) throw new Refusal('InvalidJoin', `the join is not understood: ${z.prettifyError(error)}`);
  const subTopic = subTopicOf(topic);
  if (!topic.startsWith('realtime:') || subTopic === '' || Buffer.byteLength(topic) > limits.topicLength)
    throw new Refusal('TopicNameRequired', `a topic has realtime: and more, ${limits.topicLength} bytes at most`);
  const before = peer.channels.get(topic);
  if (before) {
    leave(hub, before);
    tellEnd(before, 'phx_close');
  }
  if (peer.channels.size >= limits.channelsOfSocket) throw new Refusal('ChannelRateLimitReached', 'Too many channels');
  const config = asked.config ?? {};
  // Most of what is said there is said in other processes, and anyone who relies on it has to know that it does not come.
  if (config.private === true && !hub.notifications.connected)
    throw new Refusal('UnableToConnectToDatabase', 'messages from other processes do not arrive at the moment');
  const verified = await verify(hub, asked.access_token);
  const endTurn = await hub.joinTurns.take(verified.userId);
  try {
    await enter(hub, peer, { topic, joinRef, config }, await withSession(hub, verified), reply);
  } finally {
    endTurn();
  }
}

type Wish = Pick<Frame, 'topic' | 'joinRef'> & { config: NonNullable<z.output<typeof Join>['config']> };

async function enter(
  hub: Hub,
  peer: Peer,
  { topic, joinRef, config }: Wish,
  { caller, expiresAt }: Identified,
  reply: (response: object) => void,
): Promise<void> {
  if (isOneTooMany(hub, peer, caller.userId))
    throw new Refusal('ConnectionRateLimitReached', 'Too many connections of one person');
  const isPrivate = config.private === true;
  const subTopic = subTopicOf(topic);
  const rights = isPrivate ? await findRights(hub, subTopic, caller) : ALL_RIGHTS;
  if (!rights.listen)
    throw new Refusal('Unauthorized', `You do not have permissions to read from this Channel topic: ${subTopic}`);
  const channel: Channel = {
    peer,
    topic,
    joinRef,
    isPrivate,
    caller,
    expiresAt,
    rights,
    self: config.broadcast?.self === true,
    ack: config.broadcast?.ack === true,
    presence: config.presence?.enabled === true,
    presenceKey: config.presence?.key || crypto.randomUUID(),
  };
  const bindings = config.postgres_changes ?? [];
  const wait = config.postgres_changes_options?.wait === true;
  const subscribed = await subscribe(hub, channel, bindings, wait);
  // First, because the client does not listen before it.
  reply({ postgres_changes: bindings.map((binding, at) => ({ id: subscribed.ids[at], ...binding })) });
  peer.channels.set(topic, channel);
  hub.topics.add(channel);
  if (bindings.length > 0) tellSystem(channel, { extension: 'postgres_changes', ...subscribed.said });
}

/** Whether the person is on so many other sockets already that this cannot be theirs too. */
function isOneTooMany({ topics, limits }: Hub, peer: Peer, userId: string): boolean {
  const others = new Set<Peer>();
  for (const channel of topics.all()) if (channel.caller.userId === userId) others.add(channel.peer);
  others.delete(peer);
  return others.size >= limits.socketsOfPerson;
}

type Subscribed = { ids: number[]; said: { status: 'ok' | 'error'; message: string } };

async function subscribe(hub: Hub, channel: Channel, bindings: readonly Binding[], wait: boolean): Promise<Subscribed> {
  const { limits, feed, lease } = hub;
  const said = { status: 'ok', message: 'Subscribed to PostgreSQL' } as const;
  if (bindings.length === 0) return { ids: [], said };
  try {
    if (bindings.length > limits.bindingsOfChannel)
      throw new Refusal('TooManySubscriptions', `a channel can have ${limits.bindingsOfChannel} of them`);
    if (feed.countOf(channel.caller.userId) + bindings.length > limits.bindingsOfPerson)
      throw new Refusal('TooManySubscriptions', `a person can have ${limits.bindingsOfPerson} of them`);
    if (bindings.some(({ filter = '' }) => filter.length > limits.filterLength))
      throw new Refusal('InvalidFilter', `a filter can have at most ${limits.filterLength} characters`);
    if (!hub.notifications.connected)
      throw new Refusal('UnableToConnectToDatabase', 'changes do not arrive at the moment');
    const watched = await hub.watchedTables();
    const subscriptions: Subscription[] = [];
    for (const binding of bindings) subscriptions.push(await readBinding(hub, watched, channel, binding));
    feed.add(subscriptions);
    await lease.watch(subscriptions.flatMap(({ tables }) => tables.map(({ name }) => name)));
    return { ids: subscriptions.map(({ id }) => id), said };
  } catch (error) {
    feed.remove(channel);
    if (!(error instanceof Refusal) || wait) throw error;
    const message = `Unable to subscribe to changes with given parameters. ${error.reason}`;
    return { ids: bindings.map((_, at) => -at - 1), said: { status: 'error', message } };
  }
}
