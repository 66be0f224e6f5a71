import { sql } from 'kysely';
import { type Budget, leftOf, limitOf } from '#contract/money/budgets.ts';
import { exactDollars } from '#contract/money/costs.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { type Limits, readBudgets, readLimits } from './read-budgets.ts';

/** A run that wants to begin, or one under way that needs a higher bound. `heldMicros`: its bound until now, which the budgets hold already. */
export type Wanted = {
  userId: string;
  provider: ProviderId;
  sandbox: boolean;
  boundMicros: number;
  heldMicros?: number;
};

/**
 * Returns the refusal of a run that a budget has no room for. A run that will cost nothing is always let in.
 * `known`: the limits of that person, if they are read already.
 * Until the transaction ends, no other run of that person is let in: what was left is left for this one.
 */
export async function holdToBudgets(tx: Tx, wanted: Wanted, known?: Limits): Promise<AppError | undefined> {
  const { userId, provider, sandbox, boundMicros, heldMicros = 0 } = wanted;
  if (boundMicros === 0) return undefined;
  const limits = known ?? (await readLimits(tx, userId));
  if (limits.length === 0) return undefined;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`budgets ${userId}`}, 0))`.execute(tx);
  let tightest: { budget: Budget; left: number } | undefined;
  for (const budget of await readBudgets(tx, userId, limits)) {
    const left = leftOf(budget, sandbox);
    const concerned = budget.id === 'run' || budget.id === 'month' || budget.id === provider;
    const needed = budget.id === 'run' ? boundMicros : boundMicros - heldMicros;
    if (!concerned || left === null || left >= needed) continue;
    if (!tightest || left < tightest.left) tightest = { budget, left };
  }
  return tightest && exceeded(tightest.budget, tightest.left, wanted);
}

function exceeded(budget: Budget, left: number, { sandbox, boundMicros }: Wanted): AppError {
  const { reservedMicros } = sandbox ? budget.sandbox : budget.real;
  const limit = exactDollars(limitOf(budget) ?? 0);
  const byAdmin = budget.limitMicros === null || (budget.adminLimitMicros ?? Infinity) < budget.limitMicros;
  const held = reservedMicros > 0 ? ` (${exactDollars(reservedMicros)} is held for runs under way)` : '';
  const has =
    budget.id === 'run'
      ? `more than the ${limit} limit for one run`
      : `but only ${exactDollars(left)} of the ${limit} budget for ${scopeOf(budget)} is left${held}`;
  return new AppError(
    'BUDGET_EXCEEDED',
    `This run may cost ${exactDollars(boundMicros)}${sandbox ? ' in sandbox money' : ''}, ${has}. Set a lower limit for it, or ${
      byAdmin ? 'ask an administrator to raise the limit.' : 'raise the limit in Settings > Budgets.'
    }`,
  );
}

function scopeOf({ id }: Budget): string {
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format();
  return id === 'run' || id === 'month' ? month : `${PROVIDER_CATALOGUE[id].name} in ${month}`;
}
