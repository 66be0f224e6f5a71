import { connect, type Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** PostgreSQL's number of a request to cancel. */
const CANCEL_REQUEST = 80_877_102;
const PATIENCE_MS = 2_000;

/** What pg knows of its connection and does not declare. */
type Backend = { host?: string; port?: number; processID?: number | null; secretKey?: number | null };

/**
 * Has PostgreSQL cancel what `client` is running, over a connection of its own: also through a pooler, and without any right.
 * Resolves when the request has arrived or could not be sent. The statement then fails with 57014, or is over.
 */
export function cancelQuery(client: ClientBase): Promise<void> {
  const { host = '', port = 5432, processID, secretKey } = client as ClientBase & Backend;
  if (!processID || secretKey === undefined || secretKey === null) return Promise.resolve();
  const message = Buffer.alloc(16);
  for (const [index, value] of [16, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, index * 4);
  return new Promise((resolve) => {
    const socket: Socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => {}); // 'close' follows
    socket.on('connect', () => socket.write(message));
    // PostgreSQL closes it once the signal is sent.
    socket.on('close', () => resolve());
    socket.resume();
  });
}
