import { exactDollars } from '#contract/money/costs.ts';
import { ProviderError } from '#providers/provider.ts';
import { PROVIDER_CODES } from '#server/http/provider-codes.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { RunFailure } from './finish-run.ts';
import type { RunRow } from './run-context.ts';

/** Returns what a run that failed with `error` tells its user. Undefined for an error that only the log may hold. */
export function knownFailure(error: unknown): RunFailure | undefined {
  if (error instanceof ProviderError) return { code: PROVIDER_CODES[error.kind], message: error.message };
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return undefined;
}

export const unknownFailure: RunFailure = {
  code: 'INTERNAL',
  message: 'Something went wrong on our side. What was found so far is kept. Press Retry to continue.',
};

/** For a run that may not spend the price of its next call. */
export const boundReached = ({ bound_micros }: Pick<RunRow, 'bound_micros'>): RunFailure => ({
  code: 'BOUND_REACHED',
  message: `The run stopped at its limit of ${exactDollars(bound_micros)}. What was found so far is kept.`,
});
