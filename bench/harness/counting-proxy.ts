import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a server and PostgreSQL, and counts how often the server waits for it. */
export type CountingProxy = {
  databaseUrl: string;
  /** Answers that were waited for so far: statements that are sent together count once. */
  waits(): number;
  close(): Promise<void>;
};

/** PostgreSQL ends each answer so, once it is ready for the next statement. */
const READY = 'Z'.charCodeAt(0);
const HEADER_BYTES = 5;

/** Speaks to the PostgreSQL of `databaseUrl`, without TLS. */
export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let waits = 0;
  const server = createServer((client) => {
    const postgres = connect(Number(target.port), target.hostname);
    for (const socket of [client, postgres]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        postgres.destroy();
      });
      // Closing tells of it.
      socket.on('error', () => undefined);
    }
    postgres.on(
      'data',
      countReady(() => (waits += 1)),
    );
    client.pipe(postgres).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The proxy has no port.');
  const own = new URL(databaseUrl);
  own.hostname = '127.0.0.1';
  own.port = String(address.port);
  return {
    databaseUrl: own.href,
    waits: () => waits,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Follows the messages of one connection, which may come in any pieces: a letter, and the length of what follows. */
function countReady(ready: () => void): (part: Buffer) => void {
  let header = Buffer.alloc(0);
  let skip = 0;
  return (part) => {
    for (let at = 0; at < part.length; ) {
      const skipped = Math.min(skip, part.length - at);
      skip -= skipped;
      at += skipped;
      const taken = part.subarray(at, at + HEADER_BYTES - header.length);
      header = Buffer.concat([header, taken]);
      at += taken.length;
      if (header.length < HEADER_BYTES) return;
      if (header[0] === READY) ready();
      skip = header.readInt32BE(1) - 4;
      header = Buffer.alloc(0);
    }
  };
}
