import { z } from 'zod/mini';
import type { RealtimeOptions } from './options.ts';
import { parseJson } from './wire/parse-json.ts';

/** A broadcast for the members of a topic in other processes. `bytes`, in base64, are its payload where that is no JSON. */
const Relayed = z.object({
  topic: z.string(),
  isPrivate: z.boolean(),
  body: z.record(z.string(), z.unknown()),
  bytes: z.optional(z.string()),
});
export type Relayed = z.infer<typeof Relayed>;

/** Carries messages between processes. */
export type Relay = { send(message: Relayed): void; stop(): void };

/** Messages that come close together are sent together. */
const GATHER_MS = 5;
/** A notification holds 8,000 bytes, of which some are its head. */
const CHUNK = 7_800;

/**
 * Sends messages of any size as notifications, each in numbered chunks: PostgreSQL delivers what one transaction notified in its order
 * and without anything between, but leaves repetitions out. `processId` tells our own apart.
 */
export function createRelay(
  { pool, notifications, log }: Pick<RealtimeOptions, 'pool' | 'notifications' | 'log'>,
  processId: string,
  receive: (message: Relayed) => void,
): Relay {
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  const begun = new Map<string, string>();

  const flush = () => {
    timer = undefined;
    const chunks = waiting;
    waiting = [];
    pool
      .query(
        `select pg_notify('realtime_message', chunk) from unnest($1::text[]) with ordinality as c (chunk, at) order by at`,
        [chunks],
      )
      .catch((error: unknown) => log.warn({ err: error }, 'messages not sent to other processes'));
  };
  const forget = [
    notifications.on('realtime_message', (text) => {
      const [, sender = '', end, chunk = ''] = /^(\S+) \d+ ([+.])(.*)$/u.exec(text) ?? [];
      if (sender === processId) return;
      const whole = (begun.get(sender) ?? '') + chunk;
      begun.delete(sender);
      if (end === '+') return void begun.set(sender, whole);
      const { data: message } = Relayed.safeParse(parseJson(Buffer.from(whole, 'base64').toString()));
      if (message) receive(message);
    }),
    notifications.onReconnect(() => begun.clear()),
  ];

  return {
    send(message) {
      const whole = Buffer.from(JSON.stringify(message)).toString('base64');
      for (let at = 0; at < whole.length; at += CHUNK) {
        sent += 1;
        waiting.push(`${processId} ${sent} ${at + CHUNK < whole.length ? '+' : '.'}${whole.slice(at, at + CHUNK)}`);
      }
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop() {
      clearTimeout(timer);
      for (const one of forget) one();
    },
  };
}
