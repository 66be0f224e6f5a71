import { type RawBuilder, sql } from 'kysely';
import type { UsageSums } from '#contract/money/usage.ts';

/** The columns of `SumRow` in a query over a table of sums; `calls` is what that table has of calls sent. */
const sumColumns = (calls: RawBuilder<unknown>) => sql`
  coalesce(sum(${calls}), 0)::bigint as calls,
  coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(uncertain), 0)::bigint as uncertain,
  coalesce(sum(cost_micros), 0)::bigint as cost_micros, coalesce(sum(uncertain_micros), 0)::bigint as uncertain_micros,
  coalesce(sum(recalled), 0)::bigint as recalled, coalesce(sum(saved_micros), 0)::bigint as saved_micros`;

/** The sums over app.usage_days or app.usage_lists. */
export const USAGE_SUMS = sumColumns(sql`calls`);
/** The sums over app.ledger_days. */
export const LEDGER_SUMS = sumColumns(sql`sent + answered + failed + uncertain`);

export type SumRow = {
  calls: number;
  failed: number;
  uncertain: number;
  cost_micros: number;
  uncertain_micros: number;
  recalled: number;
  saved_micros: number;
};

export const toSums = (row: SumRow): UsageSums => ({
  calls: row.calls,
  failed: row.failed,
  uncertain: row.uncertain,
  costMicros: row.cost_micros,
  uncertainMicros: row.uncertain_micros,
  recalled: row.recalled,
  savedMicros: row.saved_micros,
});

const NOTHING: UsageSums = {
  calls: 0,
  failed: 0,
  uncertain: 0,
  recalled: 0,
  costMicros: 0,
  uncertainMicros: 0,
  savedMicros: 0,
};

export const addUp = (all: readonly UsageSums[]): UsageSums =>
  all.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      failed: sum.failed + one.failed,
      uncertain: sum.uncertain + one.uncertain,
      costMicros: sum.costMicros + one.costMicros,
      uncertainMicros: sum.uncertainMicros + one.uncertainMicros,
      recalled: sum.recalled + one.recalled,
      savedMicros: sum.savedMicros + one.savedMicros,
    }),
    NOTHING,
  );
