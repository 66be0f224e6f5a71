import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod/mini';
import { limitBody } from '#db/values/limit-body.ts';
import { type Broadcast, broadcast } from './broadcast.ts';
import type { Hub } from './hub.ts';
import { identify } from './identify.ts';
import { Refusal } from './refusal.ts';
import { findRights } from './rights.ts';
import { parseJson } from './wire/parse-json.ts';

const MESSAGES_AT_ONCE = 100;

const Name = z.string().check(
  z.minLength(1),
  z.refine((name) => Buffer.byteLength(name) <= 255, 'has more than 255 bytes'),
);
const Messages = z.object({
  messages: z
    .array(z.object({ topic: Name, event: Name, payload: z.unknown(), private: z.nullish(z.boolean()) }))
    .check(z.maxLength(MESSAGES_AT_ONCE)),
});

type Sent = Broadcast & { topic: string; isPrivate: boolean };
/** The sender, for limits, and whether they may speak in a private topic. */
type Speaker = { key: string; maySpeak(subTopic: string): Promise<boolean> };
type BroadcastEnv = { Variables: { isService: boolean } };
export type BroadcastApp = Hono<BroadcastEnv>;

/** Broadcasts without a socket, to be mounted at /realtime/v1. `isService`: whether a request came with the secret key. */
export function createBroadcastApp(hub: Hub, isService: (request: Request) => boolean): BroadcastApp {
  const app: BroadcastApp = new Hono();
  const refuse = (c: Context, status: ContentfulStatusCode, message: string) =>
    c.json({ message }, status, { 'Cache-Control': 'no-store' });
  app.onError((error, c) => {
    if (error instanceof HttpRefusal) return refuse(c, error.status, error.message);
    hub.log.warn({ err: error }, 'a broadcast failed');
    return refuse(c, 500, 'Something went wrong.');
  });
  // Before anything replaces the request.
  app.use((c, next) => {
    c.set('isService', isService(c.req.raw));
    return next();
  });
  app.use(
    limitBody(hub.limits.messageBytes, (c) => {
      c.header('Connection', 'close');
      return refuse(c, 413, 'The messages are larger than 256 kB.');
    }),
  );

  app.get('/websocket', (c) => {
    c.header('Upgrade', 'websocket');
    return refuse(c, 426, 'This address opens a websocket.');
  });
  app.post('/api/broadcast', async (c) => {
    const speaker = await speakerOf(hub, c);
    const { data, error } = Messages.safeParse(parseJson(await c.req.text()));
    if (!data) throw new HttpRefusal(422, z.prettifyError(error));
    await send(
      hub,
      speaker,
      data.messages.map((one) => ({ ...one, isPrivate: one.private === true })),
    );
    return c.body(null, 202);
  });
  app.post('/api/broadcast/:topic/events/:event', async (c) => {
    const speaker = await speakerOf(hub, c);
    if (c.req.query('persist') !== undefined || c.req.query('persist[ttl]') !== undefined)
      throw new HttpRefusal(422, 'Messages are not stored here: send without persist.');
    const isBytes = c.req.header('Content-Type')?.startsWith('application/octet-stream');
    const payload = isBytes ? Buffer.from(await c.req.arrayBuffer()) : parseJson(await c.req.text());
    if (payload === undefined) throw new HttpRefusal(422, 'The payload is not JSON.');
    const names = z.object({ topic: Name, event: Name }).safeParse(c.req.param());
    if (!names.data) throw new HttpRefusal(422, z.prettifyError(names.error));
    await send(hub, speaker, [{ ...names.data, payload, isPrivate: c.req.query('private') === 'true' }]);
    return c.body(null, 202);
  });
  return app;
}

class HttpRefusal extends Error {
  readonly status: ContentfulStatusCode;

  constructor(status: ContentfulStatusCode, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws HttpRefusal 401 */
async function speakerOf(hub: Hub, c: Context<BroadcastEnv>): Promise<Speaker> {
  if (c.get('isService')) return { key: 'service', maySpeak: async () => true };
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  try {
    const { caller } = await identify(hub, token);
    return { key: caller.userId, maySpeak: async (subTopic) => (await findRights(hub, subTopic, caller)).speak };
  } catch (error) {
    throw error instanceof Refusal ? new HttpRefusal(401, error.message) : error;
  }
}

/**
 * All of them or none.
 * @throws HttpRefusal 403, 429
 */
async function send(hub: Hub, { key, maySpeak }: Speaker, messages: readonly Sent[]): Promise<void> {
  if (messages.some(() => !hub.rate(key))) throw new HttpRefusal(429, 'Too many messages per second.');
  const privateTopics = new Set(messages.filter(({ isPrivate }) => isPrivate).map(({ topic }) => topic));
  for (const topic of privateTopics)
    if (!(await maySpeak(topic)))
      throw new HttpRefusal(403, `You do not have permissions to write to this Channel topic: ${topic}`);
  for (const { topic, isPrivate, event, payload } of messages)
    broadcast(hub, { topic: `realtime:${topic}`, isPrivate }, { event, payload: payload ?? {} });
}
