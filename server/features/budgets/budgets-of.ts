import { sql } from 'kysely';
import {
  type BudgetNotice,
  type Budgets,
  limitOf,
  MONTHLY_BUDGET_IDS,
  NOTICE_PERCENTS,
} from '#contract/money/budgets.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { readBudgets, thisMonth } from '#server/budgets/read-budgets.ts';

/** A person's budgets, with what their dashboard has to tell of them. */
export async function budgetsOf(db: Db | Tx, userId: string): Promise<Budgets> {
  const items = await readBudgets(db, userId);
  const { rows: dismissed } = await sql<BudgetNotice>`
    select budget, sandbox, percent from app.budget_notices
    where user_id = ${userId} and month = ${thisMonth} and dismissed_at is not null
  `.execute(db);
  const notices = MONTHLY_BUDGET_IDS.flatMap((id) =>
    [false, true].flatMap((sandbox): BudgetNotice[] => {
      const budget = items.find((item) => item.id === id);
      const limit = budget && limitOf(budget);
      if (!limit) return [];
      const { spentMicros } = sandbox ? budget.sandbox : budget.real;
      const percent = NOTICE_PERCENTS.findLast((share) => spentMicros * 100 >= limit * share);
      if (!percent) return [];
      const seen = dismissed.some((one) => one.budget === id && one.sandbox === sandbox && one.percent >= percent);
      return seen ? [] : [{ budget: id, percent, sandbox }];
    }),
  );
  return { month: new Date().toISOString().slice(0, 7), items, notices };
}
