import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A decompressor makes at most so much at a time, in bytes: however small what it reads, memory stays bounded. */
const CHUNK_BYTES = 16 * 1024;

/**
 * The body of an answer, decompressed, up to `maxBytes`; what lies beyond is neither read nor unpacked.
 * @throws when the body breaks off before the limit, or is packed in a way that is not known.
 */
export async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const unpacked = unpack(answer);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of unpacked) {
    if (!Buffer.isBuffer(part)) continue;
    parts.push(part.subarray(0, maxBytes - size));
    size += part.length;
    // Leaving the loop ends the stream, and with it the connection.
    if (size >= maxBytes) break;
  }
  answer.destroy();
  return Buffer.concat(parts);
}

const unpackers = new Map<string, (options: { chunkSize: number }) => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function unpack(answer: IncomingMessage): Readable {
  const packing = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (packing === '' || packing === 'identity') return answer;
  const unpacker = unpackers.get(packing)?.({ chunkSize: CHUNK_BYTES });
  if (!unpacker) throw new Error('packed in a way that is not known');
  answer.on('error', (error) => unpacker.destroy(error));
  answer.on('aborted', () => unpacker.destroy(new Error('broken off')));
  return answer.pipe(unpacker);
}
