import { type RawBuilder, sql } from 'kysely';
import type { UsagePeriod } from '#contract/money/usage.ts';

/** One kind of a user's money in a period. */
export type Chosen = Pick<UsagePeriod, 'from' | 'to'> & { userId: string; sandbox: boolean };

/** The days in a period of a table of sums, as a condition. */
export const inPeriod = ({ userId, sandbox, from, to }: Chosen): RawBuilder<boolean> =>
  sql`user_id = ${userId} and sandbox = ${sandbox} and day between ${from}::date and ${to}::date`;
