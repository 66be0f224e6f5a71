import type { Context } from 'hono';
import { collect } from '#backend/storage/bounded-body.ts';
import { invalidRequest } from '#backend/storage/storage-error.ts';
import { nestsTooDeep } from '#db/values/json-depth.ts';

/** What was sent to be stored. `cacheControl` is the header that downloads will have. */
export type Upload = {
  body: AsyncIterable<Uint8Array> | null;
  type: string;
  cacheControl: string;
  userMetadata: object | null;
};

/** A form is held in memory until it is complete; what is larger comes as bytes. */
const MAX_FORM_BYTES = 10 * 1024 ** 2;
/** For what a form has besides the file. */
const FORM_ROOM_BYTES = 64 * 1024;

/**
 * Bytes, or the form in which supabase-js sends a Blob.
 * @throws InvalidRequest, and EntityTooLarge for a form that cannot fit `mostBytes`.
 */
export async function readUpload({ req }: Context, mostBytes: number): Promise<Upload> {
  const type = req.header('content-type') ?? 'application/octet-stream';
  if (/^multipart\/form-data\s*;/i.test(type))
    return readForm(await collect(req.raw.body, Math.min(MAX_FORM_BYTES, mostBytes + FORM_ROOM_BYTES)), type);
  const metadata = req.header('x-metadata');
  return {
    body: req.raw.body,
    type,
    cacheControl: req.header('cache-control') ?? 'no-cache',
    userMetadata: metadata === undefined ? null : readMetadata(Buffer.from(metadata, 'base64').toString('utf8')),
  };
}

async function readForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<Upload> {
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw invalidRequest('The form is not valid');
  });
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file) throw invalidRequest('No content provided');
  const [seconds, metadata] = [form.get('cacheControl'), form.get('metadata')];
  return {
    body: file.stream(),
    type: file.type || 'application/octet-stream',
    cacheControl: typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
    userMetadata: typeof metadata === 'string' ? readMetadata(metadata) : null,
  };
}

function readMetadata(text: string): object {
  if (nestsTooDeep(text)) throw invalidRequest('The metadata nests too deep');
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {}
  throw invalidRequest('The metadata is not valid JSON');
}
