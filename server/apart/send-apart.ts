import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { CallerGone } from '#db/cancel/while-asked.ts';
import { AppError } from '#server/lib/app-error.ts';
import { TOLD_HEADER, type Told, writeTold } from './told.ts';

/** A request as it came, and what is known of it. `signal` aborts when its caller has gone. */
export type ApartRequest = {
  method: string;
  /** With its query. */
  path: string;
  /** JSON. */
  body: string | undefined;
  told: Told;
  signal: AbortSignal;
};

/** Of the connection between the two, or for the process that answers to say. */
const NOT_PASSED_ON = new Set([':status', 'date', 'vary']);

const interrupted = (cause?: unknown) =>
  new AppError('UNAVAILABLE', 'This was interrupted before it finished. Try again in a moment.', {
    cause,
    retryAfterSeconds: 2,
  });

/**
 * Sends a request and returns its answer, whose body breaks off as the stream does. `over`: called once nothing of it is under way.
 * @throws CallerGone when the caller has gone, UNAVAILABLE when the process ends before it has answered.
 */
export function sendApart(session: ClientHttp2Session, request: ApartRequest, over: () => void): Promise<Response> {
  const { method, path, body, told, signal } = request;
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      [TOLD_HEADER]: writeTold(told),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    let cause: unknown;
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    stream.once('response', (headers) => resolve(answerOf(stream, headers)));
    stream.on('error', (error) => {
      cause = error;
    });
    stream.once('close', () => {
      signal.removeEventListener('abort', cancel);
      over();
      reject(signal.aborted ? new CallerGone() : interrupted(cause));
    });
    signal.addEventListener('abort', cancel, { once: true });
    stream.end(body);
    if (signal.aborted) cancel();
  });
}

function answerOf(
  stream: ClientHttp2Stream,
  { ':status': status = 500, ...sent }: IncomingHttpHeaders & IncomingHttpStatusHeader,
): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined && !NOT_PASSED_ON.has(name)) headers.set(name, [value].flat().join(', '));
  return new Response(bodyOf(stream), { status, headers });
}

function bodyOf(stream: ClientHttp2Stream): ReadableStream<Uint8Array> {
  const parts = stream.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (!done) return controller.enqueue(value as Uint8Array);
        // A stream that is closed by the other side's end looks like one that has been read.
        if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw interrupted();
        controller.close();
      },
      cancel: () => stream.close(constants.NGHTTP2_CANCEL),
    },
    { highWaterMark: 0 },
  );
}
