import { createHash } from 'node:crypto';
import { sameBytes } from '#backend/auth/kit/secrets.ts';

/** Binds a link to the browser that asked for it: only who knows the verifier can use what the link brings. By SHA-256 alone. */
export type PkceChallenge = { challenge: string; method: 's256' };

/** RFC 7636, 4.1 and 4.2: verifier and challenge alike. */
export const PKCE_PATTERN = /^[\w.~-]{43,128}$/;

/** Whether `verifier` is what the challenge was made of. */
export function answersChallenge(challenge: string, verifier: string): boolean {
  if (!PKCE_PATTERN.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest('base64url');
  return sameBytes(Buffer.from(made), Buffer.from(challenge));
}
