import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';

/** A refusal that the caller may read: `message` says what to do and holds nothing internal. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code];
  }
}

/** The one answer for what does not exist and for what is someone else's. */
export const notFound = (what: string): AppError =>
  new AppError('NOT_FOUND', `${what} was not found. It may have been deleted.`);

/** For someone who is disabled. */
export const accessDenied = (): AppError =>
  new AppError('FORBIDDEN', 'Access denied. Please contact support if you believe this is an error.');
