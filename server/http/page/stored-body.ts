import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { type Coding, chooseCoding } from './accept-encoding.ts';

/** Something to send that never changes while the process runs, in each coding that there is of it. */
export type StoredBody = {
  type: string;
  cacheControl: string;
  encoded: Partial<Record<Coding, Encoded>> & { identity: Encoded };
};

type Encoded = { bytes: Uint8Array<ArrayBuffer>; etag: string };

/** A body with its validator: another coding has another one, as RFC 9110 asks. */
export function encoded(bytes: Uint8Array): Encoded {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { bytes: new Uint8Array(bytes), etag };
}

/** Answers GET and HEAD with the coding that the client prefers, or 304 when it has that already. */
export function sendStored(c: Context, body: StoredBody): Response {
  const coding = chooseCoding(c.req.header('accept-encoding'), Object.keys(body.encoded) as Coding[]);
  const { bytes, etag } = body.encoded[coding] ?? body.encoded.identity;
  c.header('Vary', 'Accept-Encoding', { append: true });
  c.header('Cache-Control', body.cacheControl);
  c.header('ETag', etag);
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  c.header('Content-Type', body.type);
  if (coding !== 'identity') c.header('Content-Encoding', coding);
  c.header('Content-Length', String(bytes.byteLength));
  return c.body(bytes);
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const known = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
