import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#server/lib/app-error.ts';

/** How far a delivery's time may be from ours, either way, as Standard Webhooks advises. */
export const TOLERANCE_MS = 5 * 60_000;
/** Ids are UUIDs or short tokens; the standard sets no length. */
const ID_MAX_LENGTH = 200;

/** A webhook as it arrived, the body byte for byte. */
export type SignedRequest = { header(name: string): string | undefined; body: string };

/**
 * Checks a delivery as Standard Webhooks 1.0 describes it, and returns its id.
 * HMAC-SHA256 over id, time in seconds and body, by any of `keys`, must equal any of the signatures of version 1.
 * @throws UNAUTHENTICATED
 */
export function verifySignature(request: SignedRequest, keys: readonly Buffer[], nowMs = Date.now()): string {
  const id = request.header('webhook-id') ?? '';
  const seconds = request.header('webhook-timestamp') ?? '';
  const signatures = request.header('webhook-signature') ?? '';
  if (!/^[\w-]+$/.test(id) || id.length > ID_MAX_LENGTH)
    throw refusal('The header webhook-id is missing or not valid.');
  if (!/^\d{1,12}$/.test(seconds)) throw refusal('The header webhook-timestamp is missing or not valid.');
  if (Math.abs(nowMs - Number(seconds) * 1000) > TOLERANCE_MS)
    throw refusal('The time of the webhook is too far from now.');
  // The standard parts them by spaces; Supabase puts a comma before each space.
  const given = signatures
    .split(/,?\s+/)
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice('v1,'.length), 'base64')] : []));
  const expected = keys.map((key) => createHmac('sha256', key).update(`${id}.${seconds}.${request.body}`).digest());
  if (!expected.some((one) => given.some((other) => isSame(one, other))))
    throw refusal('The signature of the webhook does not match.');
  return id;
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

const refusal = (message: string) => new AppError('UNAUTHENTICATED', message);
