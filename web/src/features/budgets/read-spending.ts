import { TypedDollars } from '#contract/budgets.ts';

/** “Spend at most” as it was typed: US dollars for a call, nothing when empty, or what is wrong with it. */
export function readSpending(typed: string): { maxCost?: number; error?: string } {
  const parsed = TypedDollars.safeParse(typed);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'Enter an amount in dollars.' };
  if (parsed.data === null) return {};
  return parsed.data < 10_000 ? { error: 'Enter at least $0.01.' } : { maxCost: parsed.data / 1_000_000 };
}
