import { Readable } from 'node:stream';
import type { Call } from '#backend/storage/call.ts';
import type { Range } from '#backend/storage/file-store.ts';
import { invalidRange } from '#backend/storage/storage-error.ts';
import type { StoredObject } from './find-object.ts';

/** Types that a browser runs, or from which it takes scripts. As plain text, and never sniffed, they are only read. */
const ACTIVE = /html|xml|javascript|ecmascript|css|wasm|^multipart\/|^message\//i;

/** Returns the bytes of an object, or the range that was asked for. Nothing that people store is ever shown or run as a page of this origin. */
export async function sendObject(
  { c, files }: Call,
  { version, metadata, updatedAt }: StoredObject,
): Promise<Response> {
  const { size, eTag } = metadata;
  const headers = new Headers({
    'Content-Type': ACTIVE.test(metadata.mimetype) ? 'text/plain; charset=utf-8' : metadata.mimetype,
    'Content-Disposition': dispositionOf(c.req.query('download')),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': metadata.cacheControl,
    'Accept-Ranges': 'bytes',
    'Last-Modified': updatedAt.toUTCString(),
    ETag: eTag,
  });
  if (c.req.header('if-none-match') === eTag) return new Response(null, { status: 304, headers });
  // Anyone who goes on with an older file gets the whole new one.
  const goesOn = (c.req.header('if-range') ?? eTag) === eTag;
  const range = goesOn ? rangeOf(c.req.header('range'), size) : undefined;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers.set('Content-Length', String(end - start + 1));
  if (range) headers.set('Content-Range', `bytes ${start}-${end}/${size}`);
  const status = range ? 206 : 200;
  if (size === 0 || c.req.raw.method === 'HEAD') return new Response(null, { status, headers });
  const bytes = await files.read(version, { start, end });
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, { status, headers });
}

/**
 * `bytes=0-99`, `bytes=100-` and `bytes=-100`; undefined for none, and for several, which are answered whole.
 * @throws InvalidRange
 */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) throw invalidRange();
  return { start, end };
}

/** `?download` without a name keeps the name that the address ends with. */
function dispositionOf(name: string | undefined): string {
  if (!name) return 'attachment';
  const encoded = encodeURIComponent(name.slice(0, 250).toWellFormed()).replace(
    /['()*]/g,
    (odd) => `%${odd.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
