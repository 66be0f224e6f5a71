import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may take, in ms, and how much it may say in headers, in bytes. */
const LIMITS = {
  headersTimeout: 15_000,
  /** Long enough for a file of 100 MB on a line of 3 megabits a second. Other bodies are at most a megabyte. */
  requestTimeout: 300_000,
  /** How often the two above are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Longer than the minute after which proxies close idle connections: who closes first must not be we, while a request is on its way. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32 * 1024,
};

/** An HTTP server that is up. `port` is the real one also when 0 was asked for. `stop` takes no more, and lets running requests end. */
export type HttpServer = { port: number; stop(): Promise<void> };

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * How long a request under way may take once the server stops, in ms.
 * - `silentMs`: on a connection on which nothing moves.
 * - `longestMs`: where something does, such as a large file on a slow line.
 */
export type StopPatience = { silentMs: number; longestMs: number };

/**
 * Listens with limits on how long a client may take to send its request. An answer may take as long as it needs.
 * @throws Error, with a text for the user, when the port is taken or the address is not ours.
 */
export async function listen(options: {
  host: string;
  port: number;
  listener: RequestListener;
  /** Answers requests to become a socket; who asks for something else, such as HTTP/2, is answered as if they had not asked. */
  onUpgrade?: UpgradeListener;
  /** Other limits than those of production. */
  limits?: Partial<typeof LIMITS>;
  /** The variable that chooses the port. */
  variable?: 'PORT' | 'METRICS_PORT';
  /** How long requests under way may take once the server stops. Default: 5 s, both. */
  patience?: StopPatience;
}): Promise<HttpServer> {
  const { host, port, variable = 'PORT', patience = { silentMs: 5_000, longestMs: 5_000 } } = options;
  const server = createServer(
    {
      ...LIMITS,
      ...options.limits,
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    options.listener,
  );
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  if (options.onUpgrade) server.on('upgrade', options.onUpgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explained(error, host, port, variable)));
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, sockets, patience) };
}

async function stop(server: Server, sockets: ReadonlySet<Socket>, patience: StopPatience): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive becomes idle only after its request, and would hold the server open then.
  const closing = setInterval(() => server.closeIdleConnections(), 50);
  // For those that begin another request, and for those that are in the midst of one.
  server.timeout = patience.silentMs;
  for (const socket of sockets) socket.setTimeout(patience.silentMs, () => socket.destroy());
  const impatient = setTimeout(() => server.closeAllConnections(), patience.longestMs);
  await closed;
  clearInterval(closing);
  clearTimeout(impatient);
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, variable: string): Error {
  const text: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
    EACCES: `Port ${port} cannot be used by this user. Choose one above 1023, for example: ${variable}=3000 npm start`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this machine.`,
    ENOTFOUND: `HOST=${host} is not an address of this machine.`,
  };
  return new Error(text[error.code ?? ''] ?? `Cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}
