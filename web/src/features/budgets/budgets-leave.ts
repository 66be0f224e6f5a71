import { type Budget, leftOf } from '#contract/money/budgets.ts';
import type { ProviderId } from '#contract/providers.ts';

/**
 * What the budgets leave for one run at these providers, in micro-dollars; undefined without a limit. `sandbox`: which money the run will
 * spend. While that is not known, `least` and `most` are of the two kinds.
 */
export function budgetsLeave(
  budgets: readonly Budget[],
  providers: readonly ProviderId[],
  sandbox: boolean | undefined,
): { least: number; most: number } | undefined {
  const concerned = budgets.filter(
    ({ id }) => id === 'run' || id === 'month' || providers.some((provider) => provider === id),
  );
  const kinds = sandbox === undefined ? [false, true] : [sandbox];
  const lefts = kinds.flatMap((kind) => {
    const limits = concerned.flatMap((budget) => leftOf(budget, kind) ?? []);
    return limits.length > 0 ? [Math.min(...limits)] : [];
  });
  return lefts.length > 0 ? { least: Math.min(...lefts), most: Math.max(...lefts) } : undefined;
}
