import { connect } from 'node:net';

export type KeptConnection = {
  /** Sends JSON and returns the body as it came. One at a time. Rejects for anything but 200, and when the connection ends. */
  post(body: string, headers: Record<string, string>): Promise<string>;
  close(): void;
};

/**
 * POSTs to one address over one connection, with no more around it than HTTP/1.1 needs: on the same processors, what the client takes
 * is the server's loss. Every answer must have a Content-Length.
 */
export function keepConnection(url: string): KeptConnection {
  const { hostname, port, host, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let answered = Promise.withResolvers<string>();
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
    const body = received.indexOf('\r\n\r\n') + 4;
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1]);
    if (body < 4 || received.length < body + length) return;
    if (received.startsWith('HTTP/1.1 200 ')) answered.resolve(received.slice(body));
    else answered.reject(new Error(`${url} answered ${received}`));
    received = '';
  });
  socket.on('error', (error) => answered.reject(error));
  socket.on('close', () => answered.reject(new Error(`${url} has closed the connection.`)));
  return {
    post(body, headers) {
      answered = Promise.withResolvers();
      const fields = { host, 'content-type': 'application/json', 'content-length': body.length, ...headers };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      return answered.promise;
    },
    close() {
      answered.promise.catch(() => {});
      socket.destroy();
    },
  };
}
