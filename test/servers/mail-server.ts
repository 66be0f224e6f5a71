import { createServer, type Socket } from 'node:net';

/** As much of a mail server as deliveries need. `received` are the mails, headers included; it knows no one@ of no host. */
export type MailServer = { url: string; received: string[]; close(): Promise<void> };

export async function startMailServer(): Promise<MailServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    speakSmtp(socket, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The mail server has no port.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function speakSmtp(socket: Socket, received: string[]): void {
  let inData = false;
  let text = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (inData) {
      if (!text.includes('\r\n.\r\n')) return;
      received.push(text);
      inData = false;
      text = '';
      socket.write('250 kept\r\n');
      return;
    }
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (/^RCPT TO:<nobody@/u.test(line)) socket.write('550 no such person\r\n');
      else if (line === 'STARTTLS') socket.write('454 not here\r\n');
      else if (line === 'DATA') {
        inData = true;
        socket.write('354 go on\r\n');
      } else socket.write('250 fine\r\n');
    }
  });
  socket.write('220 mail.example\r\n');
}
