import { TypedDollars } from '#contract/money/budgets.ts';

/** The least that a run may be given, in micro-dollars: one cent. */
const LEAST_MICROS = 10_000;

/** “Spend at most” as it was typed: micro-dollars, nothing when empty, or what is wrong with it. */
export function readSpending(typed: string): { micros?: number; error?: string } {
  const parsed = TypedDollars.safeParse(typed);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'Enter an amount in dollars.' };
  if (parsed.data === null) return {};
  return parsed.data < LEAST_MICROS ? { error: 'Enter at least $0.01.' } : { micros: parsed.data };
}
