import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Vault } from '#db/sealed/vault.ts';

/** 32 random bytes as 43 characters that need no escaping in a URL. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Enough for what is random already: no one can guess 32 bytes back from their hash. */
export const hashOfToken = (token: string) => hash('sha256', token, 'buffer');

/** Six digits, for people who read the mail on another device. */
export const newCode = () => randomInt(1_000_000).toString().padStart(6, '0');

/** Keyed and bound to the person, because a million codes are tried in no time by anyone who sees plain hashes. */
export const hashOfCode = (vault: Vault, userId: string, code: string) =>
  Buffer.from(vault.fingerprint(`one-time code:${userId}:${code}`), 'hex');

/** Compares without telling by its duration where the difference is. */
export const sameBytes = (one: Uint8Array, other: Uint8Array) =>
  one.byteLength === other.byteLength && timingSafeEqual(one, other);
