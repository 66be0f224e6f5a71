import { sql } from 'kysely';
import { AuthError } from './auth-error.ts';
import { networkOf } from './ip-network.ts';
import type { Limit } from './limits.ts';
import type { AuthOptions } from './options.ts';

/** Counts one try by `subject` (an address or an IP, stored as a fingerprint). Throws 429 with `Retry-After` when it is one too many. */
export async function countTry(
  { db, vault }: Pick<AuthOptions, 'db' | 'vault'>,
  limit: Limit,
  subject: string,
): Promise<void> {
  const bucket = `${limit.bucket}:${vault.fingerprint(limit.per === 'ip' ? networkOf(subject) : subject)}`;
  const { rows } = await sql<{ hits: number; resets_in_ms: number }>`
    select hits, resets_in_ms from app.count_hit(${bucket}, ${limit.windowMs})`.execute(db);
  const [count] = rows;
  if (!count || count.hits <= limit.hits) return;
  const seconds = Math.max(1, Math.ceil(Number(count.resets_in_ms) / 1000));
  throw new AuthError(429, limit.code, `${refusals[limit.code]} Please try again in ${inWords(seconds)}.`, {
    'Retry-After': String(seconds),
  });
}

const refusals = {
  over_email_send_rate_limit: 'Too many e-mails were asked for.',
  over_request_rate_limit: 'Too many attempts.',
} satisfies Record<Limit['code'], string>;

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
