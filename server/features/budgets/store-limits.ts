import { BUDGET_IDS, type BudgetLimits } from '#contract/money/budgets.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Writes all limits that one hand has set for a person; null takes a limit away. Runs under way keep what they were promised. */
export async function storeLimits(
  tx: Tx,
  userId: string,
  setBy: 'user' | 'admin',
  limits: BudgetLimits,
): Promise<void> {
  await tx.deleteFrom('app.budgets').where('user_id', '=', userId).where('set_by', '=', setBy).execute();
  const rows = BUDGET_IDS.flatMap((budget) => {
    const limit_micros = limits[budget];
    return limit_micros === null ? [] : [{ user_id: userId, budget, set_by: setBy, limit_micros }];
  });
  if (rows.length === 0) return;
  // Two tabs may save at once: the later one counts.
  await tx
    .insertInto('app.budgets')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'budget', 'set_by'])
        .doUpdateSet((eb) => ({ limit_micros: eb.ref('excluded.limit_micros'), updated_at: eb.fn('now') })),
    )
    .execute();
}
