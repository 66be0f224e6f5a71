import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { decode } from '#server/lib/decode.ts';
import { UnreadableFile } from './chunk.ts';

/** The first bytes of a file. */
export async function magicOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The bytes of a file, unpacked if it is gzip.
 * @throws UnreadableFile where what is packed is damaged or cut off.
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const isGzip = (await magicOf(path)).subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]));
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (!isGzip) return yield* file as AsyncIterable<Buffer>;
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  try {
    yield* file.pipe(unpacked) as AsyncIterable<Buffer>;
  } catch (error) {
    throw isOfZlib(error) ? new UnreadableFile(`${path} cannot be unpacked. Is it complete?`) : error;
  }
}

/** The text of a file, whatever its encoding. */
export async function* textOf(path: string): AsyncGenerator<string> {
  for await (const { text } of decode(bytesOf(path))) yield text;
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

/** The first text of a file, some 64 KiB. */
export async function headOf(path: string): Promise<string> {
  let head = '';
  for await (const part of textOf(path)) {
    head += part;
    if (head.length >= 65_536) break;
  }
  return head.slice(0, 65_536);
}
