import { type ReactNode, useState } from 'react';
import type { ProviderId } from '#contract/providers.ts';
import { readSpending } from './read-spending.ts';
import { SpendAtMost } from './spend-at-most.tsx';

/** The field “Spend at most” of a dialog, and what it does to a bound. */
export function useSpendAtMost(): {
  field: (providers: readonly ProviderId[], sandbox: boolean | undefined) => ReactNode;
  /** Whether what was typed is no amount. */
  blocked: boolean;
  /** The smaller of what was shown and what was typed, in micro-dollars; undefined when there is neither. */
  capped: (shown: number | undefined) => number | undefined;
} {
  const [typed, setTyped] = useState('');
  const { micros, error } = readSpending(typed);
  return {
    field: (providers, sandbox) => (
      <SpendAtMost providers={providers} sandbox={sandbox} value={typed} onChange={setTyped} />
    ),
    blocked: error !== undefined,
    capped: (shown) => (micros === undefined ? shown : Math.min(micros, shown ?? micros)),
  };
}
