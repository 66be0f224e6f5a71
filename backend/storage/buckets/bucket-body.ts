import { z } from 'zod/mini';
import { invalidRequest } from '#backend/storage/storage-error.ts';

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

const settings = {
  public: z.optional(z.boolean()),
  file_size_limit: z.nullish(z.union([z.int().check(z.nonnegative()), z.string()])),
  allowed_mime_types: z.nullish(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100))),
};

/** What describes a new bucket. Other fields that supabase-js sends mean nothing here. */
export const NewBucket = z.object({ id: z.optional(z.string()), name: z.string(), ...settings });
export const BucketChanges = z.object(settings);

/**
 * Bytes of `20MB`, `1.5kb` or a number: units are powers of 1,000, as hosted.
 * @throws InvalidRequest
 */
export function bytesOf(limit: string | number | null | undefined): number | null {
  if (typeof limit !== 'string') return limit ?? null;
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,12})?)([kmg]?b)$/i.exec(limit) ?? [];
  const bytes = Math.round(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (!Number.isSafeInteger(bytes)) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  return bytes;
}
