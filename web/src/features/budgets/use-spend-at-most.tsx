import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { budgetsQuery } from './api.ts';
import { budgetsLeave } from './budgets-leave.ts';
import { readSpending } from './read-spending.ts';
import { SpendAtMost } from './spend-at-most.tsx';

/** The field “Spend at most” of a dialog, and what it does to a bound. `initialMicros`: what stands in it first. `enabled`: whether it is shown. */
export function useSpendAtMost({ initialMicros, enabled }: { initialMicros: number | undefined; enabled: boolean }): {
  field: (providers: readonly ProviderId[], sandbox: boolean | undefined) => ReactNode;
  /** Whether what was typed is no amount. */
  blocked: boolean;
  /** Micro-dollars: what was typed, and the smaller of that and what was shown, as far as there is either. */
  limit: (shown: number | undefined) => { boundMicros: number | undefined; typedMicros: number | undefined };
  /** Why nothing may be spent at a provider on what costs so much; undefined where something may, or nothing costs. */
  refusal: (provider: ProviderId, sandbox: boolean | undefined, boundMicros: number | undefined) => string | undefined;
} {
  const [typed, setTyped] = useState(initialMicros === undefined ? '' : (initialMicros / 1_000_000).toFixed(2));
  const { data } = useQuery({ ...budgetsQuery, enabled });
  const { micros, error } = readSpending(typed);
  return {
    field: (providers, sandbox) => (
      <SpendAtMost providers={providers} sandbox={sandbox} value={typed} onChange={setTyped} />
    ),
    blocked: error !== undefined,
    limit: (shown) => ({
      boundMicros: micros === undefined ? shown : Math.min(micros, shown ?? micros),
      typedMicros: micros,
    }),
    refusal: (provider, sandbox, boundMicros) =>
      boundMicros !== 0 && budgetsLeave(data?.items ?? [], [provider], sandbox)?.most === 0
        ? `Your budgets leave nothing for ${PROVIDER_CATALOGUE[provider].name}.`
        : undefined,
  };
}
