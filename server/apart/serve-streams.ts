import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Turns } from '#db/turns/turns.ts';
import { readTold, TOLD_HEADER, type Told } from './told.ts';

type Answer = (request: Request, told: Told) => Promise<Response>;

/**
 * Answers what comes over `socket`. Resolves when that is closed, and all callers count as gone.
 * `turns`: each part of an answer is made in a turn of who asked for it, so that no one's files keep others waiting.
 */
export function serveStreams(socket: Duplex, turns: Turns, answer: Answer): Promise<void> {
  const server = createServer({ maxSessionMemory: 256 });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {}); // 'close' follows
    answerStream(stream, headers, turns, answer).catch(() => stream.destroy());
  });
  server.on('sessionError', () => {});
  return new Promise((resolve) => {
    server.once('session', (session) => session.once('close', resolve));
    server.emit('connection', socket);
  });
}

async function answerStream(
  stream: ServerHttp2Stream,
  { ':method': method = 'GET', ':path': path = '/', 'content-type': type, ...headers }: IncomingHttpHeaders,
  turns: Turns,
  answer: Answer,
): Promise<void> {
  const gone = new AbortController();
  stream.once('close', () => gone.abort());
  const told = readTold(headers[TOLD_HEADER]);
  const body = await text(stream);
  const request = new Request(new URL(path, 'http://apart'), {
    method,
    signal: gone.signal,
    ...(type === undefined ? {} : { headers: { 'content-type': type }, body }),
  });
  const response = await answer(request, told);
  const reader = response.body?.getReader();
  if (stream.destroyed) return reader?.cancel();
  stream.respond({ ':status': response.status, ...Object.fromEntries(response.headers) });
  if (!reader) return void stream.end();
  await pipeline(async function* () {
    try {
      for (;;) {
        // A file that has begun would break off: its parts wait as long as its caller does.
        const end = await turns.take(told.user.userId, gone.signal, Number.POSITIVE_INFINITY);
        const { done, value } = await reader.read().finally(end);
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }, stream);
}
