import type { z } from 'zod/mini';
import type { Budgets, setBudgetsEndpoint } from '#contract/money/budgets.ts';
import type { Ctx } from '#server/http/context.ts';
import { budgetsOf } from './budgets-of.ts';
import { storeLimits } from './store-limits.ts';

/** Sets the caller's own limits. */
export async function setBudgets(
  { deps, user }: Ctx,
  { limits }: z.output<typeof setBudgetsEndpoint.body>,
): Promise<Budgets> {
  return deps.db.transaction().execute(async (tx) => {
    await storeLimits(tx, user.userId, 'user', limits);
    return budgetsOf(tx, user.userId);
  });
}
