import { randomInt } from 'node:crypto';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { hashOfToken } from '#backend/auth/kit/secrets.ts';
import type { Db } from '#db/connection/client.ts';

/** How many codes a set has. */
export const CODES_PER_SET = 10;
/** Letters and digits that no one takes for one another. Sixteen of them are 79 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 16;

/** A code in its canonical form: lower case, without separators. */
export const newRecoveryCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * What is stored of a code, however it was typed: case, spaces, and dashes do not count. Without a key: codes are kept for years, and must
 * outlive an exchange of the encryption key. No one guesses 79 bits back from their hash.
 */
export const hashOfRecoveryCode = (userId: string, typed: string): Buffer =>
  hashOfToken(`recovery code:${userId}:${typed.toLowerCase().replace(/[\s-]/g, '')}`);

/** A person's set. `remaining`: codes that were not used. */
export type CodeSet = { id: string; total: number; remaining: number };

/** @throws AuthError 404 `mfa_factor_not_found` for someone who has no codes. */
export async function requireSet(db: Db, userId: string): Promise<CodeSet> {
  const codes = await db
    .selectFrom('auth.recovery_codes')
    .select(['set_id', 'used_at'])
    .where('user_id', '=', userId)
    .execute();
  const [first] = codes;
  if (!first) throw new AuthError(404, 'mfa_factor_not_found', 'Recovery codes not found');
  const remaining = codes.filter(({ used_at: usedAt }) => usedAt === null).length;
  return { id: first.set_id, total: codes.length, remaining };
}
