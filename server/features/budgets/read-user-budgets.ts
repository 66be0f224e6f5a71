import type { Budgets } from '#contract/money/budgets.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';
import { budgetsOf } from './budgets-of.ts';

/**
 * Someone's budgets, for administrators.
 * @throws NOT_FOUND
 */
export async function readUserBudgets({ deps }: Ctx, userId: string): Promise<Budgets> {
  await requireAccount(deps.db, userId);
  return budgetsOf(deps.db, userId);
}

/** @throws NOT_FOUND unless there is an account with that id. */
export async function requireAccount(db: Db | Tx, userId: string): Promise<void> {
  const account = isUuid(userId)
    ? await db.selectFrom('app.profiles').select('user_id').where('user_id', '=', userId).executeTakeFirst()
    : undefined;
  if (!account) throw notFound('This user');
}
