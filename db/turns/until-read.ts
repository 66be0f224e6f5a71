import { ServerResponse } from 'node:http';

/** Calls `leave` when the client has taken its answer or gone; at once where there is no connection. `env`: Hono's of the request. */
export function untilRead(env: unknown, leave: () => void): void {
  const outgoing = typeof env === 'object' && env !== null && 'outgoing' in env ? env.outgoing : undefined;
  if (!(outgoing instanceof ServerResponse) || outgoing.closed || outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
