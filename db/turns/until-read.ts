import { ServerResponse } from 'node:http';

/** How long a client may take no byte of an answer before the answer is thrown away, in ms. */
const UNREAD_MS = 30_000;

/**
 * Calls `leave` when the client has taken its answer or gone, or takes nothing of it for too long; at once without a connection.
 * `env`: Hono's of the request, whose answer is made.
 */
export function untilRead(env: unknown, leave: () => void, unreadMs = UNREAD_MS): void {
  const outgoing = typeof env === 'object' && env !== null && 'outgoing' in env ? env.outgoing : undefined;
  if (!(outgoing instanceof ServerResponse) || outgoing.closed || outgoing.destroyed) {
    leave();
    return;
  }
  outgoing.once('close', leave);
  // A silent connection whose client has taken all there was waits for us.
  outgoing.setTimeout(unreadMs, () => outgoing.writableLength > 0 && outgoing.destroy());
}
