import { LIVE_CHANNEL, type LiveMessage } from '#contract/live.ts';
import type { HostedSupabase } from '#server/config/env.ts';

const TIMEOUT_MS = 8_000;
/** What one request may hold. */
const MOST_MESSAGES = 100;
const MOST_BYTES = 240_000;

/** Sends each person their message through Supabase's Realtime, in few requests. Rejects at the first that is not accepted. */
export async function sendBroadcasts(
  { url, secretKey }: Pick<HostedSupabase, 'url' | 'secretKey'>,
  messages: ReadonlyMap<string, LiveMessage>,
): Promise<void> {
  for (const some of inRequests(messages)) {
    const response = await fetch(`${url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: secretKey, 'Content-Type': 'application/json' },
      body: `{"messages":[${some.join()}]}`,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Realtime does not take broadcasts: ${response.status}`);
  }
}

function inRequests(messages: ReadonlyMap<string, LiveMessage>): string[][] {
  const requests: string[][] = [];
  let bytes = 0;
  for (const [userId, payload] of messages) {
    const message = JSON.stringify({
      topic: LIVE_CHANNEL.of(userId),
      event: LIVE_CHANNEL.event,
      payload,
      private: true,
    });
    const size = Buffer.byteLength(message);
    const last = requests.at(-1);
    if (last && last.length < MOST_MESSAGES && bytes + size <= MOST_BYTES) {
      last.push(message);
      bytes += size;
    } else {
      requests.push([message]);
      bytes = size;
    }
  }
  return requests;
}
