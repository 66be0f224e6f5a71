import { createHmac, randomUUID } from 'node:crypto';

/** The headers of a delivery after Standard Webhooks 1.0. GoTrue parts the signatures by a comma and a space. */
export function signDelivery(body: string, keys: readonly Buffer[]): Record<string, string> {
  const id = randomUUID();
  const seconds = String(Math.floor(Date.now() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(', ') };
}
