import { UnreadableFile } from '#server/features/imports/read/row.ts';
import { AppError } from '#server/lib/app-error.ts';

/**
 * Says to the sender of a file why it cannot be read. Any other error stays as it is.
 * @throws VALIDATION_FAILED, or the error
 */
export function refuseUnreadable(error: unknown): never {
  throw error instanceof UnreadableFile ? new AppError('VALIDATION_FAILED', error.message, { cause: error }) : error;
}
