import { sql } from 'kysely';
import type { UsageSums } from '#contract/usage.ts';

/** The columns of `SumRow` in a query over app.ledger_days. */
export const SUM_COLUMNS = sql`
  coalesce(sum(sent + answered + failed + uncertain), 0)::bigint as calls,
  coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(uncertain), 0)::bigint as uncertain,
  coalesce(sum(cost_micros), 0)::bigint as cost_micros, coalesce(sum(uncertain_micros), 0)::bigint as uncertain_micros,
  coalesce(sum(recalled), 0)::bigint as recalled, coalesce(sum(saved_micros), 0)::bigint as saved_micros`;

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
