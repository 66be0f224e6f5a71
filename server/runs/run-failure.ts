import type { ErrorCode } from '#contract/errors.ts';
import { ProviderError, type ProviderErrorKind } from '#providers/provider.ts';
import { AppError } from '#server/http/app-error.ts';
import type { RunFailure } from './finish-run.ts';

const CODES: Readonly<Record<ProviderErrorKind, ErrorCode>> = {
  bad_credentials: 'PROVIDER_BAD_CREDENTIALS',
  bad_configuration: 'PROVIDER_BAD_CONFIGURATION',
  out_of_credit: 'OUT_OF_CREDIT',
  rate_limited: 'PROVIDER_RATE_LIMITED',
  bad_request: 'PROVIDER_FAILED',
  legal_block: 'PROVIDER_FAILED',
  transient: 'PROVIDER_FAILED',
  unknown_shape: 'PROVIDER_UNREADABLE',
};

/** What a run that threw `error` tells its user. Undefined for what only the log may hold. */
export function knownFailure(error: unknown): RunFailure | undefined {
  if (error instanceof ProviderError) return { code: CODES[error.kind], message: error.message };
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return undefined;
}

export const unknownFailure: RunFailure = {
  code: 'INTERNAL',
  message: 'Something went wrong on our side. What was found so far is kept; press Retry to continue.',
};
