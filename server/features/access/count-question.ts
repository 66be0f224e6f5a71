import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/http/app-error.ts';

/**
 * Counts one question by `subject`, which is stored as a fingerprint.
 * Throws RATE_LIMITED, with the seconds to wait, when it is one too many.
 */
export async function countQuestion(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  limit: { bucket: string; hits: number; windowMs: number },
  subject: string,
): Promise<void> {
  const bucket = `${limit.bucket}:${vault.fingerprint(subject)}`;
  const { rows } = await sql<{ hits: number; resets_in_ms: number }>`
    select hits, resets_in_ms from app.count_hit(${bucket}, ${limit.windowMs})`.execute(db);
  const [count] = rows;
  if (!count || count.hits <= limit.hits) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(count.resets_in_ms / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  throw new AppError(
    'RATE_LIMITED',
    `Too many attempts. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfterSeconds },
  );
}
