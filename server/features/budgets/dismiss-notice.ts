import { sql } from 'kysely';
import type { BudgetNotice, Budgets } from '#contract/money/budgets.ts';
import { thisMonth } from '#server/budgets/read-budgets.ts';
import type { Ctx } from '#server/http/context.ts';
import { budgetsOf } from './budgets-of.ts';

/** Notes that the caller has seen how much of a month's budget is spent. */
export async function dismissNotice({ deps, user }: Ctx, { budget, percent, sandbox }: BudgetNotice): Promise<Budgets> {
  await sql`
    insert into app.budget_notices (user_id, month, budget, sandbox, percent, dismissed_at)
    values (${user.userId}, ${thisMonth}, ${budget}, ${sandbox}, ${percent}, now())
    on conflict (user_id, month, budget, sandbox, percent) do update set dismissed_at = excluded.dismissed_at
  `.execute(deps.db);
  return budgetsOf(deps.db, user.userId);
}
