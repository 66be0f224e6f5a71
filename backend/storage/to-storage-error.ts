import { DatabaseError } from 'pg';
import { DataError } from '#backend/data/errors/data-error.ts';
import { toDataError } from '#backend/data/errors/pg-error.ts';
import { CallerGone } from '#db/cancel/while-asked.ts';
import { TooManyAtOnce } from '#db/turns/turns.ts';
import { accessDenied, alreadyExists, bucketNotEmpty, invalidRequest, StorageError } from './storage-error.ts';

/** Storage's words for whatever was thrown. Failures that are not the caller's lose their own. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof DatabaseError) {
    if (error.code === '23505') return alreadyExists(error.table === 'buckets' ? 'Bucket' : 'Key');
    if (error.code === '23503') return bucketNotEmpty();
    if (error.code === '42501') return accessDenied(error.message);
    // What PostgreSQL cannot hold: text with NUL or half a character, or that nests too deep.
    if (error.code?.startsWith('22') || error.code === '54001') return invalidRequest(error.message);
  }
  if (error instanceof TooManyAtOnce) return new StorageError(429, 'SlowDown', error.message);
  if (error instanceof CallerGone) return new StorageError(499, 'AbortedTerminate', error.message);
  // A token that is not accepted, or a session that has ended.
  if (error instanceof DataError && error.status < 500) return accessDenied(error.message);
  const { status } = toDataError(error, 'authenticated');
  if (status === 503) return new StorageError(503, 'DatabaseError', 'The database cannot be reached right now.');
  return new StorageError(500, 'InternalError', 'Internal server error');
}
