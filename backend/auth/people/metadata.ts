import { printOf } from '#backend/auth/asking/networks.ts';
import type { OneTimeTokenRow } from '#backend/auth/codes/one-time-tokens.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { isStorable } from '#db/values/storable.ts';
import type { UserRow } from './users.ts';

/** Bytes of `user_metadata`. It travels in every access token. */
const MAX_BYTES = 2000;

/**
 * Metadata for a new user. What we decide ourselves is left out.
 * @throws AuthError `validation_failed`.
 */
export function readMetadata(data: Record<string, unknown> | null | undefined): object {
  const { role: _role, email_verified: _verified, ...metadata } = data ?? {};
  requireStorable(metadata);
  return metadata;
}

/** What people say of themselves over what is `stored`, as `overwriteMetadata` does it. */
export const mergeMetadata = (stored: unknown, data: Record<string, unknown>): string =>
  overwriteMetadata(stored, { ...readMetadata(data) });

/**
 * Keeps what someone said of themselves before their first sign-in, when the mail that it was sent for has come back. Later it is `PUT /user`
 * that changes it, and others may have asked for the mail. Returns the user as they are then.
 */
export async function keepSaid(tx: Tx, user: UserRow, said: unknown): Promise<UserRow> {
  if (user.email_confirmed_at || typeof said !== 'object' || said === null) return user;
  return tx
    .updateTable('auth.users')
    .set({ raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { ...said }) })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What came with the request for this mail, if its own network has asked: anyone may ask for someone else's mail. */
export const saidBy = (vault: Vault, mail: OneTimeTokenRow, ip: string): unknown =>
  mail.asked_from === printOf(vault, ip) ? mail.user_metadata : undefined;

/**
 * `data` over what is `stored`, as JSON text; null deletes a field, as in GoTrue.
 * @throws AuthError `validation_failed`.
 */
export function overwriteMetadata(stored: unknown, data: Record<string, unknown>): string {
  const merged = { ...(typeof stored === 'object' ? stored : {}), ...data };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  requireStorable(kept);
  return JSON.stringify(kept);
}

function requireStorable(metadata: object): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES)
    throw new AuthError(400, 'validation_failed', `data must be under ${MAX_BYTES} bytes`);
  if (!isStorable(metadata))
    throw new AuthError(400, 'validation_failed', 'data holds characters that cannot be stored');
}
