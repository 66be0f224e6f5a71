import { invalidRequest, StorageError, tooLarge } from './storage-error.ts';

/**
 * The bytes of a body as they come.
 * @throws EntityTooLarge at the first beyond `most`, and InvalidRequest where it breaks off.
 */
export async function* boundedBody(body: AsyncIterable<Uint8Array> | null, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > most) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof StorageError ? error : invalidRequest('The body was cut off');
  }
}

/**
 * A body that is small enough to be held.
 * @throws EntityTooLarge
 */
export async function collect(body: AsyncIterable<Uint8Array> | null, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedBody(body, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
