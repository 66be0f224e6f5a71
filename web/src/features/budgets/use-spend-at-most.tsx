import { useQuery } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { Shown } from '#contract/money/budgets.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { formatExact } from '#web/lib/format/format.ts';
import { mostOf, type PriceLine, type SpendAtMost } from '#web/lib/format/price-line.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { budgetsQuery } from './api.ts';
import { budgetsLeave } from './budgets-leave.ts';
import { limitDraft, limitText } from './kept-limit.ts';
import { readSpending } from './read-spending.ts';
import { SpendAtMostField } from './spend-at-most.tsx';

/**
 * The field “Spend at most” of a dialog, and what it does to a bound. `dialog`: its name. `initialMicros`: what stands in it first.
 * `enabled`: whether it is shown.
 */
export function useSpendAtMost({
  dialog,
  initialMicros,
  enabled,
}: {
  dialog: string;
  initialMicros: number | undefined;
  enabled: boolean;
}): {
  /** While nothing is typed, the field shows what is sent all the same. */
  spendAtMost: (providers: readonly ProviderId[], sandbox: boolean | undefined) => SpendAtMost;
  /** What was shown, and in micro-dollars what was typed, as far as anything was. */
  limit: (shown: Shown) => Shown & { typedMicros: number | undefined };
  /** Why nothing may be spent at a provider on what costs so much; undefined where something may, or nothing costs. */
  refusal: (provider: ProviderId, sandbox: boolean | undefined, boundMicros: number | undefined) => string | undefined;
  /** For a dialog that is given up, or sent: as for a draft. */
  clear: () => void;
  sent: (taken: Promise<boolean>) => void;
} {
  const [typed, setTyped, clear, sent] = useDraftState(
    limitDraft(dialog),
    z.string(),
    initialMicros === undefined ? '' : limitText(initialMicros),
  );
  const { data } = useQuery({ ...budgetsQuery, enabled });
  const { micros, error } = readSpending(typed);
  return {
    spendAtMost: (providers, sandbox) => (lines) => {
      const problem = error ?? tooLittle(lines, micros);
      const [only, ...others] = lines;
      const shown = only && others.length === 0 ? formatExact(mostOf(only, undefined)) : undefined;
      const each = lines.length > 1;
      return {
        capMicros: micros,
        blocked: problem !== undefined,
        field: (
          <SpendAtMostField
            providers={providers}
            sandbox={sandbox}
            each={each}
            shown={shown}
            typed={typed}
            problem={problem}
            onChange={setTyped}
          />
        ),
      };
    },
    limit: (shown) => ({ ...shown, typedMicros: micros }),
    refusal: (provider, sandbox, boundMicros) =>
      boundMicros !== 0 && budgetsLeave(data?.items ?? [], [provider], sandbox)?.most === 0
        ? `You have no budget left for ${PROVIDER_CATALOGUE[provider].name}.`
        : undefined,
    clear,
    sent,
  };
}

/** A call that does not fit is not made, so that a run with less would end without anything. */
function tooLittle(lines: readonly PriceLine[], micros: number | undefined): string | undefined {
  const least = Math.max(0, ...lines.map(({ price }) => Math.min(price?.callMicros ?? 0, price?.boundMicros ?? 0)));
  if (micros === undefined || micros >= least) return undefined;
  return `One call costs ${formatExact(least)}. A lower limit buys nothing.`;
}
