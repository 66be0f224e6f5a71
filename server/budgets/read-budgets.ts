import { sql } from 'kysely';
import { BUDGET_IDS, type Budget, type Money } from '#contract/money/budgets.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** The first day of the present month (UTC) in a query. */
export const thisMonth = sql`date_trunc('month', now() at time zone 'UTC')::date`;

type MoneyRow = { provider: string; sandbox: boolean; spent_micros: number; reserved_micros: number };

/** The limits that are set for a person. */
export const readLimits = (db: Db | Tx, userId: string) =>
  db.selectFrom('app.budgets').select(['budget', 'set_by', 'limit_micros']).where('user_id', '=', userId).execute();
export type Limits = Awaited<ReturnType<typeof readLimits>>;

/** All budgets of a person, set or not, with the present month's money. `known`: the limits, if they are read already. */
export async function readBudgets(db: Db | Tx, userId: string, known?: Limits): Promise<Budget[]> {
  const limits = known ?? (await readLimits(db, userId));
  const { rows: money } = await sql<MoneyRow>`
    select * from app.money_of_month(${userId}::uuid, ${thisMonth})
  `.execute(db);
  return BUDGET_IDS.map((id) => {
    const limitBy = (hand: 'user' | 'admin') =>
      limits.find((limit) => limit.budget === id && limit.set_by === hand)?.limit_micros ?? null;
    const counted = id === 'run' ? [] : money.filter(({ provider }) => id === 'month' || provider === id);
    return {
      id,
      limitMicros: limitBy('user'),
      adminLimitMicros: limitBy('admin'),
      real: sum(counted.filter((row) => !row.sandbox)),
      sandbox: sum(counted.filter((row) => row.sandbox)),
    };
  });
}

const sum = (rows: readonly MoneyRow[]): Money => ({
  spentMicros: rows.reduce((total, row) => total + row.spent_micros, 0),
  reservedMicros: rows.reduce((total, row) => total + row.reserved_micros, 0),
});
