import type { ErrorCode } from '#contract/errors.ts';
import type { ProviderErrorKind } from '#providers/provider.ts';

/** How each failure of a third party is told to the caller. */
export const PROVIDER_CODES: Readonly<Record<ProviderErrorKind, ErrorCode>> = {
  bad_credentials: 'PROVIDER_BAD_CREDENTIALS',
  bad_configuration: 'PROVIDER_BAD_CONFIGURATION',
  out_of_credit: 'OUT_OF_CREDIT',
  rate_limited: 'PROVIDER_RATE_LIMITED',
  bad_request: 'PROVIDER_FAILED',
  legal_block: 'PROVIDER_FAILED',
  transient: 'PROVIDER_FAILED',
  unknown_shape: 'PROVIDER_UNREADABLE',
};
