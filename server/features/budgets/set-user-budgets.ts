import type { z } from 'zod/mini';
import type { Budgets, setUserBudgetsEndpoint } from '#contract/money/budgets.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { budgetsOf } from './budgets-of.ts';
import { requireAccount } from './read-user-budgets.ts';
import { storeLimits } from './store-limits.ts';

/**
 * Sets an administrator's limits for someone.
 * @throws NOT_FOUND
 */
export async function setUserBudgets(
  ctx: Ctx,
  userId: string,
  { limits }: z.output<typeof setUserBudgetsEndpoint.body>,
): Promise<Budgets> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    await requireAccount(tx, userId);
    await storeLimits(tx, userId, 'admin', limits);
    await writeAudit(tx, ctx, { action: 'budget.set', target: userId, details: { limits } });
    return budgetsOf(tx, userId);
  });
}
