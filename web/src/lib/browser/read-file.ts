import { ApiError } from '#web/lib/backend/api-error.ts';

/**
 * Reads an answer to its end; `onBytes` hears how much has come.
 * @throws ApiError when it breaks off.
 */
export async function readFile(response: Response, onBytes: (bytes: number) => void = () => {}): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.length;
      onBytes(bytes);
    }
  } catch {
    throw new ApiError('The download was interrupted. Please try again.', { kind: 'network' });
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
}
