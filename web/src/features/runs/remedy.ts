import type { ProviderId } from '#contract/providers.ts';
import type { RunKind } from '#contract/work/runs.ts';
import { ASKED } from './call-words.ts';

/** What mends a failure that Retry alone cannot mend, and the words for its button. */
export type Remedy =
  | { mends: 'key'; provider: ProviderId; label: 'Connect key' | 'Update key' }
  | { mends: 'search'; label: 'Edit search' }
  | { mends: 'budgets'; label: 'See budgets' };

/** What mends a failed run or a refusal, by its error code; undefined where trying again is all there is to do. */
export function remedyOf(kind: RunKind, code: string | null | undefined): Remedy | undefined {
  switch (code) {
    case 'MISSING_API_KEY':
      return { mends: 'key', provider: ASKED[kind], label: 'Connect key' };
    case 'SANDBOX_MISMATCH':
    case 'PROVIDER_BAD_CREDENTIALS':
    case 'PROVIDER_BAD_CONFIGURATION':
    case 'OUT_OF_CREDIT':
      return { mends: 'key', provider: ASKED[kind], label: 'Update key' };
    case 'UNKNOWN_PLACE':
    case 'VALIDATION_FAILED':
      return kind === 'search' ? { mends: 'search', label: 'Edit search' } : undefined;
    case 'BUDGET_EXCEEDED':
      return { mends: 'budgets', label: 'See budgets' };
    default:
      return undefined;
  }
}
