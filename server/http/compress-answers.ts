import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import { CODINGS, type Coding, chooseCoding } from './page/accept-encoding.ts';

/** Below this an answer and its headers fit one packet anyway, in bytes. */
const WORTH_IT = 1024;

/** Off the main thread. A fast setting: these are made for one request each. */
const encoders: Record<Exclude<Coding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: async (bytes) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
    return new Uint8Array(await promisify(brotliCompress)(bytes, { params }));
  },
  gzip: async (bytes) => new Uint8Array(await promisify(gzip)(bytes, { level: 4 })),
};

/**
 * Compresses JSON of at least 1 kB in the coding that the client prefers.
 * - Only for answers that hold no secret of ours: docs/security.md says which are compressed.
 * - Not downloads, and whatever else streams: a first part must not wait for the next.
 * - Not parts of a longer answer (206), and what is encoded already.
 */
export const compressAnswers: MiddlewareHandler = async (c, next) => {
  await next();
  if (!isCompressible(c)) return;
  c.header('Vary', 'Accept-Encoding', { append: true });
  const coding = chooseCoding(c.req.header('accept-encoding'), CODINGS);
  if (coding === 'identity' || !c.res.body) return;
  const reader = c.res.body.getReader();
  const first = await reader.read();
  const second = first.done ? first : await reader.read();
  if (!second.done) {
    c.res = new Response(goOn([first.value, second.value], reader), c.res);
    return;
  }
  const bytes = first.value ?? new Uint8Array();
  const isWorthIt = bytes.byteLength >= WORTH_IT;
  c.res = new Response(isWorthIt ? await encoders[coding](bytes) : new Uint8Array(bytes), c.res);
  if (!isWorthIt) return;
  c.res.headers.set('Content-Encoding', coding);
  c.res.headers.delete('Content-Length');
  const etag = c.res.headers.get('ETag');
  // The bytes differ, what they say does not.
  if (etag && !etag.startsWith('W/')) c.res.headers.set('ETag', `W/${etag}`);
};

function isCompressible({ req, res }: Context): boolean {
  const { headers } = res;
  return (
    req.method !== 'HEAD' &&
    res.status !== 206 &&
    headers.get('content-type')?.includes('json') === true &&
    !headers.has('content-encoding') &&
    !headers.has('content-disposition')
  );
}

/** The parts that have been read, then the rest as it comes. */
function goOn(
  read: (Uint8Array | undefined)[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of read) if (part) controller.enqueue(part);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
